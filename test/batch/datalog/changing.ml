open Weft_containers
open Datalog

(* Facts that are asserted and retracted. *)

let exactly what expected found =
  if expected <> found then Alcotest.failf "%s: %b, not %b" what found expected

(* --- against the naive evaluation, and one by one --- *)

let results_of db changes = List.map Result.get_ok (Array.to_list (change db (Array.of_list changes)))

let batch_by_batch s =
  let db = Scenarios.create s in
  let batch facts changes =
    let facts, expected = Scenarios.apply_all facts changes in
    if results_of db changes <> expected then Alcotest.fail "the results";
    Scenarios.check_state "after a batch" db s.rules facts;
    facts
  in
  ignore (List.fold_left batch (Scenarios.facts s) s.batches : Scenarios.Tuples.t)

let one_by_one s =
  let db = Scenarios.create s in
  let one facts c =
    let facts, expected = Scenarios.apply_all facts [ c ] in
    let made = match c with Assert a -> assert_fact db a | Retract a -> retract db a in
    if [ made ] <> expected then Alcotest.fail "the result";
    Scenarios.check_state "after a change" db s.rules facts;
    facts
  in
  ignore (List.fold_left one (Scenarios.facts s) (List.concat s.batches) : Scenarios.Tuples.t)

(* --- small programs --- *)

let right = "path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z)."
let edge a b = fact "edge" [ Int a; Int b ]

(* On a circle, every tuple has support from tuples that depend on it. *)
let circle () =
  let n = 20 in
  let db = of_string right in
  for i = 0 to n - 1 do
    exactly "new" true (assert_fact db (edge i ((i + 1) mod n)))
  done;
  Alcotest.(check int) "all from all" (n * n) (length db "path");
  exactly "cut" true (retract db (edge (n - 1) 0));
  Alcotest.(check int) "a chain is left" (n * (n - 1) / 2) (length db "path");
  check db;
  exactly "cut again" false (retract db (edge (n - 1) 0));
  exactly "closed" true (assert_fact db (edge (n - 1) 0));
  Alcotest.(check int) "all from all again" (n * n) (length db "path");
  check db

(* A tuple loses its first support and has a longer one, from tuples that are no older: it is derived
   again. *)
let detour () =
  let db = of_string ("edge(1, 2). edge(2, 3). edge(1, 3)." ^ right) in
  exactly "the short way is cut" true (retract db (edge 1 3));
  exactly "the long way remains" true (holds db (parse_query "path(1, 3)"));
  exactly "half of it is cut" true (retract db (edge 2 3));
  exactly "no way" false (holds db (parse_query "path(1, 3)"));
  check db

(* Dense and sparse graphs on few nodes: all kinds of support. *)
let random_graphs () =
  let random = Random.State.make [| 11 |] in
  let left = "path(X, Y) :- edge(X, Y). path(X, Z) :- path(X, Y), edge(Y, Z)." in
  let double = "path(X, Y) :- edge(X, Y). path(X, Z) :- path(X, Y), path(Y, Z)." in
  let one text =
    let rules = (parse text).rules and db = of_string text in
    let round facts n =
      let change _ =
        let a = edge (Random.State.int random 6) (Random.State.int random 6) in
        if Random.State.int random 60 < n then Assert a else Retract a
      in
      let changes = List.init (1 + Random.State.int random 4) change in
      let facts, expected = Scenarios.apply_all facts changes in
      if results_of db changes <> expected then Alcotest.fail "the results";
      check db;
      let predicates = [ ("edge", 2); ("path", 2) ] in
      if not (Scenarios.Tuples.equal (Naive.consequences rules facts) (Scenarios.contents db predicates)) then
        Alcotest.failf "other paths by %s" text;
      facts
    in
    let facts = List.fold_left round Scenarios.Tuples.empty (List.init 60 Fun.id) in
    ignore (List.fold_left round facts (List.init 60 (fun i -> 60 - i)) : Scenarios.Tuples.t)
  in
  List.iter one [ right; left; double ]

(* A tuple that is a fact and is derived as well. *)
let both () =
  let db = of_string ("edge(1, 2). path(1, 2). path(5, 6)." ^ right) in
  exactly "was a fact" true (retract db (fact "path" [ Int 1; Int 2 ]));
  exactly "follows still" true (holds db (parse_query "path(1, 2)"));
  exactly "is no fact any more" false (retract db (fact "path" [ Int 1; Int 2 ]));
  exactly "a new fact" true (assert_fact db (fact "path" [ Int 1; Int 2 ]));
  exactly "no edge" true (retract db (edge 1 2));
  exactly "a fact still" true (holds db (parse_query "path(1, 2)"));
  exactly "only a fact" true (retract db (fact "path" [ Int 5; Int 6 ]));
  exactly "gone" false (holds db (parse_query "path(5, 6)"));
  check db

let unknown () =
  let db = of_string right in
  exactly "nothing to retract" false (retract db (fact "nobody" [ Symbol "a" ]));
  exactly "no such value" false (retract db (fact "edge" [ Symbol "a"; Symbol "b" ]));
  exactly "a new predicate" true (assert_fact db (fact "fresh" [ Int 1 ]));
  Alcotest.(check int) "it is there" 1 (length db "fresh")

let errors_in_a_batch () =
  let db = of_string right in
  let results =
    change db
      [|
        Assert (edge 1 2);
        Assert (fact "edge" [ Int 1 ]);
        Assert (fact "new" [ Int 1 ]);
        Assert (fact "new" []);
        Assert (edge 1 2);
        Retract (atom "edge" [ Wildcard; Wildcard ]);
        Retract (edge 1 2);
        Assert (edge 2 3);
      |]
  in
  let shown = function Ok b -> string_of_bool b | Result.Error (e : error) -> e.message in
  Alcotest.(check (list string))
    "each alone"
    [
      "true";
      "edge has 1 argument here, but 2 in the database";
      "true";
      "new has 0 arguments here, but 1 in the database";
      "false";
      "edge(_, _) is not a fact: its arguments must be values";
      "true";
      "true";
    ]
    (List.map shown (Array.to_list results));
  Alcotest.(check int) "what is left" 1 (length db "path");
  check db

(* --- many facts, so that space is given back --- *)

let against_a_table () =
  let db = of_string "odd(X) :- pair(X, Y), Y > 4. lonely(X) :- value(X), not pair(X, _). value(0)." in
  let table = Hashtbl.create 100 and random = Random.State.make [| 7 |] in
  let int n = Random.State.int random n in
  let one likely =
    let x = int 300 and y = int 10 in
    let a = fact "pair" [ Int x; Int y ] and was = Hashtbl.mem table (x, y) in
    if int 10 < likely then begin
      Hashtbl.replace table (x, y) ();
      (Assert a, not was)
    end
    else begin
      Hashtbl.remove table (x, y);
      (Retract a, was)
    end
  in
  for round = 1 to 300 do
    (* the set grows, and shrinks *)
    let changes = List.init 300 (fun _ -> one (if round / 30 mod 2 = 0 then 8 else 1)) in
    if results_of db (List.map fst changes) <> List.map snd changes then Alcotest.fail "the results";
    if length db "pair" <> Hashtbl.length table then Alcotest.fail "the number of pairs";
    let odd =
      List.sort_uniq compare (Hashtbl.fold (fun (x, y) () l -> if y > 4 then x :: l else l) table [])
    in
    if length db "odd" <> List.length odd then Alcotest.fail "what follows";
    exactly "what needs absence"
      (not (Hashtbl.fold (fun (x, _) () b -> b || x = 0) table false))
      (holds db (parse_query "lonely(0)"));
    if round mod 10 = 0 then check db
  done

(* --- an exception at every point --- *)

exception Planned

(* A runner that claims four tasks at a time; task number [k] raises, if [k] is not 0. *)
let failing () =
  let left = ref 0 in
  let each n f =
    for i = 0 to n - 1 do
      if !left > 0 then begin
        decr left;
        if !left = 0 then raise Planned
      end;
      f i
    done
  in
  (left, { width = (fun () -> 4); each })

let raises_everywhere s =
  let left, runner = failing () in
  let db = Scenarios.create ~runner s in
  let batch facts changes =
    let rec from k =
      left := k;
      match change db (Array.of_list changes) with
      | _ -> left := 0
      | exception Planned ->
          left := 0;
          (* The first query evaluates anew; now and then that fails, too. *)
          if k mod 2 = 0 then begin
            left := 1;
            (match length db "p0" with _ -> () | exception Planned -> ());
            left := 0
          end;
          Scenarios.check_state "nothing has changed" db s.rules facts;
          from (k + 1)
    in
    from 1;
    let facts, _ = Scenarios.apply_all facts changes in
    Scenarios.check_state "it has changed" db s.rules facts;
    facts
  in
  ignore (List.fold_left batch (Scenarios.facts s) s.batches : Scenarios.Tuples.t)

let tests =
  [
    Scenarios.property ~count:2000 "batches of changes, as the naive evaluation" batch_by_batch;
    Scenarios.property ~count:1000 "changes one by one, as the naive evaluation" one_by_one;
    Testing.Watchdog.case "a circle is cut and closed" circle;
    Testing.Watchdog.case "a detour" detour;
    Testing.Watchdog.case "paths in random graphs" random_graphs;
    Testing.Watchdog.case "facts that follow as well" both;
    Testing.Watchdog.case "what nobody knows" unknown;
    Testing.Watchdog.case "wrong changes fail alone" errors_in_a_batch;
    Testing.Watchdog.case "90,000 changes against a table" against_a_table;
    Scenarios.property ~count:200 "evaluation raises at any point: nothing has changed" raises_everywhere;
  ]
