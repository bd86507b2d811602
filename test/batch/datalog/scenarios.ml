open Weft_containers
open Datalog
module Tuples = Naive.Tuples

type t = { rules : rule list; start : atom list; batches : change list list; queries : query list }

(* --- printing --- *)

let print_change = function Assert a -> "+" ^ atom_to_string a | Retract a -> "-" ^ atom_to_string a
let print_query (q : query) = rule_to_string (Datalog.rule (atom "query" []) q.body)

let print s =
  let line print l = String.concat " " (List.map print l) in
  String.concat "\n"
    (List.map rule_to_string s.rules
    @ [ line atom_to_string s.start ]
    @ List.map (line print_change) s.batches
    @ List.map print_query s.queries)

let print_tuples tuples =
  String.concat " " (List.map (fun (p, values) -> atom_to_string (fact p values)) (Tuples.elements tuples))

(* --- making --- *)

let gen =
  let open QCheck.Gen in
  let* rules = Random_programs.program in
  let* start = list_size (int_bound 12) Random_programs.fact in
  let* batches = list_size (int_bound 6) (list_size (int_range 1 6) Random_programs.change) in
  let* queries = list_size (int_bound 4) Random_programs.query in
  return { rules; start; batches; queries }

let shrink s yield =
  let open QCheck.Shrink in
  list s.rules (fun rules -> yield { s with rules });
  list s.batches (fun batches -> yield { s with batches });
  list s.start (fun start -> yield { s with start });
  list ~shrink:list s.batches (fun batches -> yield { s with batches });
  list s.queries (fun queries -> yield { s with queries })

let arbitrary = QCheck.make ~print ~shrink gen

let create ?runner s =
  Datalog.create ?runner { rules = List.map (fun a -> rule a []) s.start @ s.rules; queries = [] }

(* --- facts --- *)

let tuple_of (a : atom) =
  let value = function Value v -> v | Variable _ | Wildcard -> invalid_arg "Scenarios: no fact" in
  (a.predicate, List.map value a.terms)

let facts s = Tuples.of_list (List.map tuple_of s.start)

let apply (facts, results) change =
  match change with
  | Assert a -> (Tuples.add (tuple_of a) facts, not (Tuples.mem (tuple_of a) facts) :: results)
  | Retract a -> (Tuples.remove (tuple_of a) facts, Tuples.mem (tuple_of a) facts :: results)

let apply_all facts changes =
  let facts, results = List.fold_left apply (facts, []) changes in
  (facts, List.rev results)

(* --- checking --- *)

let sorted_rows answers = List.sort compare (Array.to_list (Array.map Array.to_list (rows answers)))

let contents db predicates =
  let of_predicate (predicate, width) =
    let names = List.init width (fun i -> Variable (Printf.sprintf "V%d" i)) in
    let rows = sorted_rows (query db (ask [ Holds (atom predicate names) ])) in
    List.map (fun row -> (predicate, row)) rows
  in
  Tuples.of_list (List.concat_map of_predicate predicates)

let check_state what db rules facts =
  Datalog.check db;
  let expected = Naive.consequences rules facts and found = contents db Random_programs.predicates in
  if not (Tuples.equal expected found) then
    Alcotest.failf "%s\nmissing: %s\ntoo much: %s" what
      (print_tuples (Tuples.diff expected found))
      (print_tuples (Tuples.diff found expected))

let property ?(count = 1000) name f =
  let holds s =
    f s;
    true
  in
  let test = QCheck.Test.make ~count:(Testing.Effort.few count) ~name arbitrary holds in
  Testing.Watchdog.case name (fun () -> QCheck.Test.check_exn test)
