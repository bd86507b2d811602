open Weft_containers
open Datalog
module Tuples = Naive.Tuples

(* What follows, against the naive evaluation; and the state after each change. *)

let tuple_of (a : atom) =
  (a.predicate, List.map (function Value v -> v | Variable _ | Wildcard -> assert false) a.terms)

let width_of name = List.assoc name Random_programs.predicates

(* All tuples of a database. *)
let contents db predicates =
  let of_predicate (predicate, width) =
    let names = List.init width (fun i -> Variable (Printf.sprintf "V%d" i)) in
    let { rows; _ } = query db (ask [ Holds (atom predicate names) ]) in
    Array.to_list (Array.map (fun row -> (predicate, Array.to_list row)) rows)
  in
  Tuples.of_list (List.concat_map of_predicate predicates)

let print_tuples tuples =
  String.concat " " (List.map (fun (p, values) -> atom_to_string (fact p values)) (Tuples.elements tuples))

let check_same what expected found =
  if not (Tuples.equal expected found) then
    Alcotest.failf "%s\nmissing: %s\ntoo much: %s" what
      (print_tuples (Tuples.diff expected found))
      (print_tuples (Tuples.diff found expected))

let sorted_answers db q =
  let { rows; _ } = query db q in
  List.sort compare (Array.to_list (Array.map Array.to_list rows))

let print_rules rules = String.concat "\n" (List.map rule_to_string rules)
let print_change = function Assert a -> "+" ^ atom_to_string a | Retract a -> "-" ^ atom_to_string a

type scenario = { rules : rule list; start : atom list; batches : change list list; queries : query list }

let print_query (q : query) = rule_to_string (Datalog.rule (atom "query" []) q.body)

let print_scenario s =
  String.concat "\n"
    ([ print_rules s.rules; String.concat " " (List.map atom_to_string s.start) ]
    @ List.map (fun b -> String.concat " " (List.map print_change b)) s.batches
    @ List.map print_query s.queries)

let scenario =
  let open QCheck.Gen in
  let* rules = Random_programs.program in
  let* start = list_size (int_bound 12) Random_programs.fact in
  let* batches = list_size (int_bound 6) (list_size (int_range 1 6) Random_programs.change) in
  let* queries = list_size (int_bound 4) Random_programs.query in
  return { rules; start; batches; queries }

let shrink s yield =
  QCheck.Shrink.list s.rules (fun rules -> yield { s with rules });
  QCheck.Shrink.list s.batches (fun batches -> yield { s with batches });
  QCheck.Shrink.list s.start (fun start -> yield { s with start });
  QCheck.Shrink.list ~shrink:QCheck.Shrink.list s.batches (fun batches -> yield { s with batches });
  QCheck.Shrink.list s.queries (fun queries -> yield { s with queries })

let arbitrary = QCheck.make ~print:print_scenario ~shrink scenario

let apply facts = function
  | Assert a -> (Tuples.add (tuple_of a) facts, not (Tuples.mem (tuple_of a) facts))
  | Retract a -> (Tuples.remove (tuple_of a) facts, Tuples.mem (tuple_of a) facts)

let apply_all facts changes =
  let facts, results =
    List.fold_left
      (fun (facts, results) c ->
        let facts, made = apply facts c in
        (facts, made :: results))
      (facts, []) changes
  in
  (facts, List.rev results)

let check_state what db rules facts =
  Datalog.check db;
  check_same what (Naive.consequences rules facts) (contents db Random_programs.predicates)

let declared = List.map (fun (p, w) -> (p, w)) Random_programs.predicates

let follows_naive ?runner s =
  ignore declared;
  let facts = Tuples.of_list (List.map tuple_of s.start) in
  let program = { rules = List.map (fun a -> rule a []) s.start @ s.rules; queries = [] } in
  let db = create ?runner program in
  check_state "at first" db s.rules facts;
  let batch facts changes =
    let facts, expected = apply_all facts changes in
    let results = Datalog.change db (Array.of_list changes) in
    if Array.to_list results <> List.map Result.ok expected then Alcotest.fail "results of changes";
    check_state (String.concat " " (List.map print_change changes)) db s.rules facts;
    facts
  in
  let facts = List.fold_left batch facts s.batches in
  let tuples = Naive.consequences s.rules facts in
  let ask q =
    let expected = Naive.answers q tuples in
    if sorted_answers db q <> expected then Alcotest.failf "answers to %s" (print_query q);
    if count db q <> List.length expected then Alcotest.failf "count of %s" (print_query q);
    if holds db q <> (expected <> []) then Alcotest.failf "%s holds" (print_query q)
  in
  List.iter ask s.queries;
  true

let random = QCheck.Test.make ~count:3000 ~name:"random programs" arbitrary (fun s -> follows_naive s)

let tests =
  [
    Alcotest.test_case "random programs, as the naive evaluation" `Quick (fun () ->
        QCheck.Test.check_exn
          ~rand:(Random.State.make [| int_of_string (Option.value (Sys.getenv_opt "SEED") ~default:"1") |])
          random);
  ]
