module D = Weft_containers.Datalog

(* A change costs what its tuples take part in: the same words are allocated however many rules have nothing to do with it. *)

let words f =
  let before = Gc.minor_words () in
  f ();
  Gc.minor_words () -. before

let program rules =
  "q(X) :- e(X).\nr(X) :- q(X), not h(X).\n"
  ^ String.concat "" (List.init rules (fun i -> Printf.sprintf "p%d(X) :- f%d(X), not g%d(X).\n" i i i))

let of_changes rules =
  let db = D.of_string (program rules) in
  let fact name i = D.fact name [ D.Int i ] in
  let change i =
    ignore (D.assert_fact db (fact "e" i));
    ignore (D.assert_fact db (fact "h" i));
    ignore (D.retract db (fact "h" i));
    ignore (D.retract db (fact "e" i))
  in
  change 0;
  words (fun () ->
      for i = 1 to 100 do
        change i
      done)

let unrelated_rules_cost_nothing () =
  let few = of_changes 1 and many = of_changes 1000 in
  if many > 1.2 *. few then Alcotest.failf "%.0f words beside 1 rule, %.0f beside 1,000" few many

let tests = [ Testing.Watchdog.case "unrelated rules cost nothing" unrelated_rules_cost_nothing ]
