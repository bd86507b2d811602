open Weft_containers
open Datalog

(* What rules derive from facts, and what queries find. *)

let follows_naive s =
  let db = Scenarios.create s in
  Scenarios.check_state "at first" db s.rules (Scenarios.facts s);
  let tuples = Naive.consequences s.rules (Scenarios.facts s) in
  let check_query q =
    let expected = Naive.answers q tuples in
    if Scenarios.sorted_rows (query db q) <> expected then Alcotest.fail "the answers";
    if count db q <> List.length expected then Alcotest.fail "their number";
    if holds db q <> (expected <> []) then Alcotest.fail "whether there is one"
  in
  List.iter check_query s.queries

(* --- small programs --- *)

let check_answers db text expected =
  let found = query db (parse_query text) in
  let rows = List.map (List.map value_to_string) (Scenarios.sorted_rows found) in
  Alcotest.(check (list (list string))) text expected rows;
  Alcotest.(check int) (text ^ ", counted") (List.length expected) (count db (parse_query text));
  Alcotest.(check bool) (text ^ ", at all") (expected <> []) (holds db (parse_query text))

let chain n = String.concat "" (List.init n (fun i -> Printf.sprintf "edge(%d, %d). " i (i + 1)))

(* [n] edges in a chain, which take as many rounds. *)
let closure ~what rules () =
  let n = 100 in
  let db = of_string (chain n ^ rules) in
  check db;
  Alcotest.(check int) what (n * (n + 1) / 2) (length db "path");
  check_answers db "path(98, X)" [ [ "99" ]; [ "100" ] ];
  check_answers db "path(X, 1)" [ [ "0" ] ];
  check_answers db "path(5, 3)" [];
  check_answers db "path(3, 5)" [ [] ]

let right = "path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z)."
let left = "path(X, Y) :- edge(X, Y). path(X, Z) :- path(X, Y), edge(Y, Z)."
let double = "path(X, Y) :- edge(X, Y). path(X, Z) :- path(X, Y), path(Y, Z)."

let mutual () =
  let db =
    of_string
      "zero(0). succ(0, 1). succ(1, 2). succ(2, 3). succ(3, 4).\n\
       even(X) :- zero(X). even(Y) :- odd(X), succ(X, Y). odd(Y) :- even(X), succ(X, Y)."
  in
  check_answers db "even(X)" [ [ "0" ]; [ "2" ]; [ "4" ] ];
  check_answers db "odd(X)" [ [ "1" ]; [ "3" ] ]

let same_generation () =
  let db =
    of_string
      "parent(a, root). parent(b, root). parent(c, a). parent(d, b). parent(e, c).\n\
       person(X) :- parent(X, _). person(X) :- parent(_, X).\n\
       same(X, X) :- person(X).\n\
       same(X, Y) :- parent(X, P), same(P, Q), parent(Y, Q)."
  in
  check_answers db "same(c, X)" [ [ "c" ]; [ "d" ] ];
  check_answers db "same(X, Y), X < Y" [ [ "a"; "b" ]; [ "c"; "d" ] ];
  check_answers db "same(e, X), X != e" []

let negation () =
  let db =
    of_string
      "edge(a, b). edge(b, c). edge(d, d). node(a). node(b). node(c). node(d). lone.\n\
       path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z).\n\
       unreachable(X, Y) :- node(X), node(Y), not path(X, Y).\n\
       sink(X) :- node(X), not edge(X, _).\n\
       calm :- not storm. quiet :- calm, lone, not sink(zzz)."
  in
  check_answers db "unreachable(a, X)" [ [ "a" ]; [ "d" ] ];
  check_answers db "sink(X)" [ [ "c" ] ];
  check_answers db "quiet" [ [] ];
  check_answers db "node(X), not path(X, c)" [ [ "c" ]; [ "d" ] ];
  ignore (assert_fact db (fact "storm" []) : bool);
  check_answers db "quiet" [];
  ignore (retract db (fact "storm" []) : bool);
  check_answers db "quiet" [ [] ];
  check db

let comparisons () =
  let db = of_string {|v(-3). v(2). v(10). v(b). v(a). v("a"). v("").|} in
  let all = [ "-3"; "2"; "10"; "a"; "b"; {|""|}; {|"a"|} ] in
  let from n = List.filteri (fun i _ -> i >= n) all and singletons = List.map (fun x -> [ x ]) in
  let check text expected =
    let rows = Scenarios.sorted_rows (query db (parse_query text)) in
    let sorted l = List.sort compare l in
    Alcotest.(check (list (list string)))
      text
      (sorted (singletons expected))
      (sorted (List.map (List.map value_to_string) rows))
  in
  check "v(X), X > 2" (from 2);
  check "v(X), X >= 2" (from 1);
  check "v(X), X < a" [ "-3"; "2"; "10" ];
  check "v(X), X <= \"\"" [ "-3"; "2"; "10"; "a"; "b"; {|""|} ];
  check "v(X), X = zzz" [];
  check "v(X), X != zzz" all;
  check "v(X), X > aa" [ "b"; {|""|}; {|"a"|} ];
  check "v(X), 1 < 2" all;
  check "v(X), 2 < 1" []

let wildcards () =
  let db = of_string "e(1, 2, 3). e(1, 3, 3). e(2, 2, 2)." in
  check_answers db "e(X, _, _)" [ [ "1" ]; [ "2" ] ];
  check_answers db "e(_, _, _)" [ [] ];
  check_answers db "e(X, X, X)" [ [ "2" ] ];
  check_answers db "e(_, X, X)" [ [ "2" ]; [ "3" ] ];
  check_answers db "e(1, X, _), e(X, _, _)" [ [ "2" ] ];
  check_answers db "nobody(X, Y)" []

(* Readers that must not make indexes say so. *)
let reading () =
  let db = of_string (chain 10 ^ right) in
  let by_first = parse_query "edge(3, X)" and whole = parse_query "edge(3, 4)" in
  let by_second = parse_query "edge(X, 3)" in
  let check what expected found = Alcotest.(check (option int)) what expected found in
  let rows q = Option.map (fun (a : answers) -> a.count) (Reading.query db q) in
  check "no index is needed" (Some 1) (rows whole);
  check "the rules have made none for this" None (rows by_first);
  check "they have for that" (Some 1) (rows by_second);
  Alcotest.(check bool) "a call that may make one" true (holds db by_first);
  check "it is there now" (Some 1) (rows by_first);
  check "counted" (Some 1) (Reading.count db by_first);
  Alcotest.(check (option bool)) "at all" (Some true) (Reading.holds db by_first)

let tests =
  [
    Scenarios.property ~count:2000 "random programs and queries, as the naive evaluation" follows_naive;
    Testing.Watchdog.case "recursion on the right" (closure ~what:"paths" right);
    Testing.Watchdog.case "recursion on the left" (closure ~what:"paths" left);
    Testing.Watchdog.case "recursion on both sides" (closure ~what:"paths" double);
    Testing.Watchdog.case "mutual recursion" mutual;
    Testing.Watchdog.case "the same generation" same_generation;
    Testing.Watchdog.case "negation" negation;
    Testing.Watchdog.case "comparisons between all kinds of values" comparisons;
    Testing.Watchdog.case "wildcards and repeated variables" wildcards;
    Testing.Watchdog.case "readers make no indexes" reading;
  ]
