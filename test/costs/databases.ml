module D = Weft_containers.Datalog
module B = Weft_batch.Datalog
open Testing.Growth
open Table

(* Checks what the docstrings say about cost, for each function of the database and of the batched one, in
   a pool of one worker, by the words that are allocated. *)

(* --- among many rules --- *)

(* A change costs as much as the derivations of its tuples: it allocates the same number of words, however
   many unrelated rules there are. *)

let words_of f =
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
  words_of (fun () ->
      for i = 1 to 100 do
        change i
      done)

let unrelated_rules_cost_nothing () =
  let few = of_changes 1 and many = of_changes 1000 in
  if many > 1.2 *. few then Alcotest.failf "%.0f words beside 1 rule, %.0f beside 1,000" few many

(* --- the language --- *)

(* Each fact has one tuple that follows from it, and each node has ten edges. *)
let rules = "next(X, Z) :- edge(X, Y), step(Y, Z)."
let edge i = D.fact "edge" [ Int (i / 10); Int i ]
let step i = D.fact "step" [ Int i; Symbol "s" ]

let facts n =
  String.concat "" (List.init n (fun i -> Printf.sprintf "edge(%d, %d). step(%d, s).\n" (i / 10) i i))

let text n = rules ^ "\n" ^ facts n
let literals n = List.init n (fun i -> D.Holds (edge i))
let from i = D.parse_query (Printf.sprintf "edge(%d, X)" i)
let is_there i = D.ask [ Holds (edge i) ]
let everything = D.parse_query "edge(X, Y)"
let few = 100

(* A few calls of something of size n. *)
let some_of filled f n =
  let db = filled n in
  repeat few (fun i -> f db (i * (n / few)))

(* The first query makes the index. *)
let filled n =
  let db = D.of_string (text n) in
  ignore (D.query db (from 0));
  db

let language =
  let of_value name f = words name Linear (fun n -> ignoring f (String.make n 'x')) in
  [
    words "error_message" Constant
      (ignoring (fun n -> D.error_message { place = Some { line = n; column = n }; message = "" }));
    words "parse" Linear (fun n -> ignoring D.parse (text n));
    words "parse_query" Linear (fun n ->
        ignoring D.parse_query (String.concat ", " (List.init n (Printf.sprintf "p(X, %d)"))));
    words "rule" Constant (fun n -> ignoring (D.rule (edge 0)) (literals n));
    words "fact" Linear (fun n -> ignoring (D.fact "p") (List.init n (fun i -> D.Int i)));
    words "atom" Constant (fun n -> ignoring (D.atom "p") (List.init n (fun i -> D.Value (Int i))));
    words "ask" Constant (fun n -> ignoring D.ask (literals n));
    of_value "compare_values" (fun s -> D.compare_values (String s) (String s));
    of_value "value_to_string" (fun s -> D.value_to_string (String s));
    of_value "value_to_string, of control characters" (fun s ->
        D.value_to_string (Symbol (String.map (fun _ -> '\001') s)));
    words "atom_to_string" Linear (fun n ->
        ignoring D.atom_to_string (D.fact "p" (List.init n (fun i -> D.Int i))));
    of_value "literal_to_string" (fun s -> D.literal_to_string (Holds (D.fact s [])));
    words "rule_to_string" Linear (fun n -> ignoring D.rule_to_string (D.rule (edge 0) (literals n)));
  ]

(* --- the database --- *)

let sequential =
  let of_filled f n = ignoring f (filled n) in
  let some_of f = some_of filled f in
  let all f n =
    let db = filled n in
    repeat n (f db)
  in
  language
  @ [
      words "create" Linear (fun n -> ignoring (fun p -> D.create p) (D.parse (text n)));
      words "of_string" Linear (fun n -> ignoring (fun s -> D.of_string s) (text n));
      words "assert_fact" Linear (fun n ->
          let db = D.of_string rules in
          repeat n (fun i ->
              ignore (D.assert_fact db (edge i));
              D.assert_fact db (step i)));
      words "assert_fact, one that is there" Constant (some_of (fun db i -> D.assert_fact db (edge i)));
      words "retract" Linear (all (fun db i -> D.retract db (edge i)));
      words "retract, few of many" Constant (some_of (fun db i -> D.retract db (step i)));
      words "change" Linear (fun n ->
          ignoring
            (D.change (D.of_string rules))
            (Array.init (2 * n) (fun i -> D.Assert (if i < n then edge i else step (i - n)))));
      words "change, that retracts" Linear (fun n ->
          ignoring (D.change (filled n)) (Array.init n (fun i -> D.Retract (edge i))));
      words "rows" Linear (fun n -> ignoring D.rows (D.query (filled n) everything));
      words "query" Constant (some_of (fun db i -> D.query db (from (i / 10))));
      words "query, of all" Linear (of_filled (fun db -> D.query db everything));
      words "count" Constant (some_of (fun db i -> D.count db (from (i / 10))));
      words "holds" Constant (some_of (fun db i -> D.holds db (is_there i)));
      words "holds, stops at the first" Constant (some_of (fun db _ -> D.holds db everything));
      words "length" Constant (of_filled (fun db -> D.length db "next"));
      words "Reading.query" Constant (some_of (fun db i -> D.Reading.query db (from (i / 10))));
      words "Reading.count" Constant (some_of (fun db i -> D.Reading.count db (from (i / 10))));
      words "Reading.holds" Constant (some_of (fun db i -> D.Reading.holds db (is_there i)));
      words "check" Linear (of_filled D.check);
    ]

let batched =
  let filled n =
    let db = B.of_string (text n) in
    ignore (B.query db (from 0));
    db
  in
  let of_filled f n = ignoring f (filled n) in
  let some_of f = some_of filled f in
  [
    words "create" Linear (fun n -> ignoring (fun p -> B.create p) (D.parse (text n)));
    words "of_string" Linear (fun n -> ignoring (fun s -> B.of_string s) (text n));
    words "assert_fact" Linear (fun n ->
        let db = B.of_string rules in
        repeat n (fun i ->
            ignore (B.assert_fact db (edge i));
            B.assert_fact db (step i)));
    words "retract" Linear (fun n ->
        let db = filled n in
        repeat n (fun i -> B.retract db (edge i)));
    words "query" Constant (some_of (fun db i -> B.query db (from (i / 10))));
    words "count" Constant (some_of (fun db i -> B.count db (from (i / 10))));
    words "holds" Constant (some_of (fun db i -> B.holds db (is_there i)));
    words "change" Linear (fun n ->
        ignoring (B.change (B.of_string rules)) (Array.init n (fun i -> D.Assert (edge i))));
    words "query_all" Linear (fun n ->
        ignoring (B.query_all (filled n)) (Array.init n (fun i -> from (i / 10))));
    words "exclusive" Constant (of_filled (fun db -> B.exclusive db ignore));
    words "quiesce" Constant (of_filled B.quiesce);
    words "stats" Constant (of_filled B.stats);
    words "exec" Constant (some_of (fun db i -> B.exec db (Holds (is_there i))));
    words "exec_many" Linear (fun n ->
        ignoring (B.exec_many (filled n)) (Array.init n (fun i -> B.Holds (is_there i))));
    words "submit" Constant (some_of (fun db i -> Weft.await (B.submit db (Holds (is_there i)))));
    words "submit_many" Linear (fun n ->
        ignoring
          (fun ops -> Weft.await (B.submit_many (filled n) ops))
          (Array.init n (fun i -> B.Holds (is_there i))));
  ]

(* --- all of it --- *)

let tables =
  let table prefix file cases except =
    { prefix; files = [ file ]; sizes = sizes [ 500; 2000; 10_000 ]; in_pool = true; cases; except }
  in
  [
    table "Weft_containers.Datalog." "lib/containers/datalog.mli" sequential [];
    table "Weft_batch.Datalog." "lib/batch/datalog.mli" batched
      [ ("what exec and exec_many do", [ "apply"; "run_batch"; "runner" ]) ];
  ]

let tests = [ Testing.Watchdog.case "unrelated rules cost nothing" unrelated_rules_cost_nothing ]
