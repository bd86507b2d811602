module Alcotest = Testing.Checks.Alcotest
module Sequential = Weft_containers.Datalog
module Datalog = Weft_batch.Datalog
module Cell = Weft_batch.Cell
open Sequential

(* The batched database. *)

let sizes = [ 1; 2; 8 ]
let on_each_size f = List.iter (fun domains -> Weft.run ~domains f) sizes

(* --- a batch against its operations one by one: changes in order, then queries --- *)

type op = Any : 'a Datalog.op -> op

let ops_of (s : Scenarios.t) =
  let changes = List.map (fun c -> Any (Change c)) (List.concat s.batches) in
  let queries = List.concat_map (fun q -> [ Any (Query q); Any (Count q); Any (Holds q) ]) s.queries in
  let random = Random.State.make [| List.length changes; List.length queries |] in
  List.map snd (List.sort compare (List.map (fun op -> (Random.State.bits random, op)) (changes @ queries)))

(* Results in a form that can be compared. *)
let shown (type a) (op : a Datalog.op) (result : a) =
  match op with
  | Change _ -> string_of_bool result
  | Holds _ -> string_of_bool result
  | Count _ -> string_of_int result
  | Query _ ->
      String.concat ";"
        (List.map
           (fun row -> String.concat "," (List.map value_to_string row))
           (Scenarios.sorted_rows result))

let shown_cell op cell =
  match Cell.result cell with
  | None -> "nothing"
  | Some (Ok v) -> shown op v
  | Some (Error (Sequential.Error e, _)) -> e.message
  | Some (Error (e, _)) -> raise e

let shown_apply db op =
  match Datalog.apply db op with v -> shown op v | exception Sequential.Error e -> e.message

let is_change (type a) (op : a Datalog.op) =
  match op with Change _ -> true | Query _ | Count _ | Holds _ -> false

let change_of (Any op) = match op with Change c -> Some c | Query _ | Count _ | Holds _ -> None

let batch_as_one_by_one (s : Scenarios.t) =
  let ops = ops_of s in
  let one_by_one = Scenarios.create s in
  let run_those ~changes =
    List.map (fun (Any op) -> if is_change op = changes then Some (shown_apply one_by_one op) else None) ops
  in
  let changed = run_those ~changes:true in
  let answered = run_those ~changes:false in
  let db = Scenarios.create ~runner:Datalog.runner s in
  let packed = List.map (fun (Any op) -> Datalog.Structure.Op (op, Cell.make ())) ops in
  Datalog.run_batch db (Array.of_list packed);
  let found = List.map (fun (Datalog.Structure.Op (op, cell)) -> shown_cell op cell) packed in
  let expected = List.map2 (fun a b -> Option.get (if a = None then b else a)) changed answered in
  if found <> expected then
    Alcotest.failf "found %s, expected %s" (String.concat " " found) (String.concat " " expected);
  let facts, _ = Scenarios.apply_all (Scenarios.facts s) (List.filter_map change_of ops) in
  Scenarios.check_state "the contents" db s.rules facts

(* --- many tasks at once --- *)

let rules = "path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z)."
let edge a b = fact "edge" [ Int a; Int b ]
let path a b = ask [ Holds (fact "path" [ Int a; Int b ]) ]
let all_of f n = ignore (Weft.all (List.init n (fun i () -> f i)) : unit list)

(* Every task's queries see its own changes; each fact is new to only one of the tasks that assert it. *)
let tasks () =
  on_each_size @@ fun () ->
  let n = 60 in
  let db = Datalog.of_string rules in
  let news = Atomic.make 0 in
  all_of
    (fun k ->
      let i = k / 3 in
      if Datalog.assert_fact db (edge i (i + 1)) then Atomic.incr news;
      if not (Datalog.holds db (path i (i + 1))) then Alcotest.fail "one's own edge is not there";
      if i > 0 && Datalog.holds db (path i (i - 1)) then Alcotest.fail "a path back")
    (3 * n);
  Alcotest.(check int) "each edge was new once" n (Atomic.get news);
  Alcotest.(check int) "all paths" (n * (n + 1) / 2) (Datalog.count db (parse_query "path(X, Y)"));
  all_of
    (fun i ->
      if i mod 10 = 9 && not (Datalog.retract db (edge i (i + 1))) then Alcotest.fail "was no fact";
      if i mod 10 = 9 && Datalog.holds db (path i (i + 1)) then Alcotest.fail "one's own cut is not there";
      let { count = reached; _ } = Datalog.query db (parse_query (Printf.sprintf "path(%d, X)" i)) in
      if reached > n - i || reached < 9 - (i mod 10) then Alcotest.failf "%d reaches %d" i reached)
    n;
  Alcotest.(check int)
    "paths between the cuts"
    (n / 10 * (10 * 9 / 2))
    (Datalog.count db (parse_query "path(X, Y)"));
  Datalog.exclusive db Sequential.check

let from_threads () =
  let db = Datalog.of_string rules in
  let one k =
    for i = 0 to 49 do
      ignore (Datalog.assert_fact db (edge ((50 * k) + i) ((50 * k) + i + 1)) : bool)
    done
  in
  List.iter Thread.join (List.init 4 (Thread.create one));
  Datalog.quiesce db;
  Alcotest.(check int) "all paths" (200 * 201 / 2) (Datalog.count db (parse_query "path(X, Y)"))

let many () =
  on_each_size @@ fun () ->
  let db = Datalog.of_string rules in
  let changes = Array.init 100 (fun i -> Assert (edge (i / 2) (1 + (i / 2)))) in
  let made = Datalog.change db changes in
  Alcotest.(check (array bool)) "in this order" (Array.init 100 (fun i -> i mod 2 = 0)) made;
  let answers =
    Datalog.query_all db (Array.init 50 (fun i -> parse_query (Printf.sprintf "path(%d, X)" i)))
  in
  Array.iteri (fun i (a : answers) -> Alcotest.(check int) "answers" (50 - i) a.count) answers;
  match Datalog.change db [| Assert (edge 90 91); Assert (fact "edge" []); Assert (edge 91 92) |] with
  | _ -> Alcotest.fail "a wrong change passed"
  | exception Sequential.Error _ ->
      Alcotest.(check bool) "the others are made" true (Datalog.holds db (path 90 92))

let wrong_ones_fail_alone () =
  Weft.run ~domains:2 @@ fun () ->
  let db = Sequential.of_string ~runner:Datalog.runner ("edge(1, 2)." ^ rules) in
  let good = Cell.make () and bad = Cell.make () and unsafe = Cell.make () and asked = Cell.make () in
  let open Datalog.Structure in
  Datalog.run_batch db
    [|
      Op (Holds (path 1 3), asked);
      Op (Change (Assert (fact "edge" [ Int 1 ])), bad);
      Op (Query (ask [ Fails (atom "edge" [ Variable "X"; Wildcard ]) ]), unsafe);
      Op (Change (Assert (edge 2 3)), good);
    |];
  let failed c =
    match Cell.result c with Some (Result.Error (Sequential.Error _, _)) -> true | _ -> false
  in
  Alcotest.(check bool) "the wrong change" true (failed bad);
  Alcotest.(check bool) "the unsafe query" true (failed unsafe);
  Alcotest.(check bool) "the good change" true (Cell.result good = Some (Ok true));
  Alcotest.(check bool) "the query sees it" true (Cell.result asked = Some (Ok true));
  Datalog.run_batch db [||]

(* A runner raises and so ends the evaluation: the changes fail and have no effect; the queries are
   answered. *)
exception Planned

let failing_evaluation () =
  Weft.run ~domains:2 @@ fun () ->
  let fails = Atomic.make false in
  let each n f = if Atomic.exchange fails false then raise Planned else Datalog.runner.each n f in
  let db = Sequential.of_string ~runner:{ Datalog.runner with each } ("edge(1, 2)." ^ rules) in
  let changed = Cell.make () and asked = Cell.make () and gone = Cell.make () in
  Atomic.set fails true;
  let open Datalog.Structure in
  Datalog.run_batch db
    [| Op (Holds (path 1 2), asked); Op (Change (Assert (edge 2 3)), changed); Op (Holds (path 2 3), gone) |];
  let failed = match Cell.result changed with Some (Result.Error (Planned, _)) -> true | _ -> false in
  Alcotest.(check bool) "the change fails" true failed;
  Alcotest.(check bool) "what was there is there" true (Cell.result asked = Some (Ok true));
  Alcotest.(check bool) "what failed is not" true (Cell.result gone = Some (Ok false));
  Sequential.check db

(* --- the workload, and large rounds in parallel --- *)

let run_workload kind () =
  let inserts = 300 and queries = 3000 in
  let ops = Workload.operations ~queries ~inserts kind in
  Weft.run ~domains:2 @@ fun () ->
  let db = Datalog.create (Workload.start ()) in
  let one = function
    | Workload.Insert a -> if not (Datalog.assert_fact db a) then Alcotest.fail "no new edge"
    | Ask q -> (
        match kind with
        | Workload.Point -> if not (Datalog.holds db q) then Alcotest.fail "no path"
        (* Only one thread at a time may call [Alcotest.check]. *)
        | From -> if (Datalog.query db q).count <> Workload.nodes then Alcotest.fail "paths")
  in
  Weft.parallel_for ~chunk_size:1 ~start:0 ~finish:(Array.length ops - 1) ~body:(fun i -> one ops.(i)) ();
  Datalog.exclusive db (fun db ->
      Alcotest.(check int) "paths" Workload.expected_paths (length db "path");
      Alcotest.(check int) "edges" (Workload.expected_edges ~inserts) (length db "edge"))

(* The graph is so sparse that rounds find thousands of new tuples. *)
let large_rounds () =
  let n = 300 in
  let random = Random.State.make [| 3 |] in
  let edges = Array.init 600 (fun _ -> edge (Random.State.int random n) (Random.State.int random n)) in
  let start =
    { rules = (parse rules).rules @ List.map (fun a -> rule a []) (Array.to_list edges); queries = [] }
  in
  let expected = length (create start) "path" in
  on_each_size @@ fun () ->
  let db = create ~runner:Datalog.runner start in
  Sequential.check db;
  Alcotest.(check int) "paths" expected (length db "path");
  ignore (change db (Array.map (fun a -> Retract a) (Array.sub edges 0 300)));
  Sequential.check db;
  ignore (change db (Array.map (fun a -> Assert a) (Array.sub edges 0 300)));
  Sequential.check db;
  Alcotest.(check int) "the same paths again" expected (length db "path")

let tests =
  [
    Scenarios.property ~count:100 "a batch, as its operations one by one" (fun s ->
        on_each_size (fun () -> batch_as_one_by_one s));
    Testing.Watchdog.case "many tasks at once" tasks;
    Testing.Watchdog.case "threads outside pools" from_threads;
    Testing.Watchdog.case "batches by hand" many;
    Testing.Watchdog.case "wrong operations fail alone" wrong_ones_fail_alone;
    Testing.Watchdog.case "evaluation raises in a batch" failing_evaluation;
    Testing.Watchdog.case "large rounds in parallel" large_rounds;
    Testing.Watchdog.case "the workload, point queries" (run_workload Point);
    Testing.Watchdog.case "the workload, all from a node" (run_workload From);
  ]
