open Weft_bench_harness
module Datalog = Weft_containers.Datalog
module Batched = Weft_batch.Datalog

(* The number of nodes; three quarters of all possible edges are there at the start. Finding all paths of
   the large graph takes seconds, so runs of few operations, such as quick runs, use a small one. *)
let nodes_of n = if n >= 5_000 then 200 else 50
let edges_of nodes = nodes * nodes * 3 / 4
let rules = "path(X, Y) :- edge(X, Y).\npath(X, Z) :- edge(X, Y), path(Y, Z).\n"

(* {1 The graph} *)

let node i = Datalog.Value (Int i)
let edge ~nodes k = Datalog.atom "edge" [ node (k / nodes); node (k mod nodes) ]

(* All possible edges in random order: the first ones are there at the start, the operations insert the
   others. *)
let order =
  Weft_bench_suites.Checks.once_per_size (fun nodes ->
      let random = Random.State.make [| nodes |] in
      let order = Array.init (nodes * nodes) Fun.id in
      for i = Array.length order - 1 downto 1 do
        let j = Random.State.int random (i + 1) in
        let k = order.(i) in
        order.(i) <- order.(j);
        order.(j) <- k
      done;
      order)

let program nodes =
  let { Datalog.rules; queries } = Datalog.parse rules in
  let order = order nodes in
  let facts = List.init (edges_of nodes) (fun i -> Datalog.rule (edge ~nodes order.(i)) []) in
  { Datalog.rules = rules @ facts; queries }

(* {1 The operations} *)

type operation = Insert of Datalog.atom | From of Datalog.query | Point of Datalog.query
type kind = Answers | Whether

let each_insert = 10
let greatest = each_insert * ((200 * 200) - edges_of 200)

let operation kind ~nodes random i =
  if i mod each_insert = 0 then Insert (edge ~nodes (order nodes).(edges_of nodes + (i / each_insert)))
  else
    let some () = node (Random.State.int random nodes) in
    let ask from towards = Datalog.ask [ Holds (Datalog.atom "path" [ from; towards ]) ] in
    match kind with
    | Answers -> From (ask (some ()) (Variable "X"))
    | Whether -> Point (ask (some ()) (some ()))

type 'db input = {
  db : 'db;
  operations : operation array;
  answers : int array;  (** 1 for yes, or the number of answers *)
}

(* The graph is connected from the start: the closure is complete. *)
let check kind exclusive n { db; answers; _ } =
  let wrong expected got = Error { Benchmark.expected; got } in
  let nodes = nodes_of n in
  let expected i = if i mod each_insert = 0 then 1 else match kind with Answers -> nodes | Whether -> 1 in
  let inserts = (n + each_insert - 1) / each_insert in
  let edges, paths = exclusive db (fun db -> (Datalog.length db "edge", Datalog.length db "path")) in
  let rec first i = if i < n && answers.(i) = expected i then first (i + 1) else i in
  let i = first 0 in
  if i < n then
    wrong (Printf.sprintf "the answer %d to operation %d" (expected i) i) (string_of_int answers.(i))
  else if edges <> edges_of nodes + inserts then
    wrong (Printf.sprintf "%d edges" (edges_of nodes + inserts)) (string_of_int edges)
  else if paths <> nodes * nodes then wrong (Printf.sprintf "%d paths" (nodes * nodes)) (string_of_int paths)
  else Ok ()

let subject kind ?(figures = fun _ -> []) ~make ~insert ~query ~holds ~exclusive () =
  Single.Subject
    {
      prepare =
        (fun n ->
          let random = Random.State.make [| n |] and nodes = nodes_of n in
          {
            db = make (program nodes);
            operations = Array.init n (operation kind ~nodes random);
            answers = Array.make n (-1);
          });
      step =
        (fun { db; operations; answers } i ->
          answers.(i) <-
            (match operations.(i) with
            | Insert atom -> Bool.to_int (insert db atom)
            | From q -> (query db q).Datalog.count
            | Point q -> Bool.to_int (holds db q)));
      check = (fun n input -> check kind exclusive n input);
      figures = (fun { db; _ } -> figures db);
    }

(* {1 The methods} *)

let sequential kind =
  subject kind
    ~make:(fun program -> Datalog.create program)
    ~insert:Datalog.assert_fact ~query:Datalog.query ~holds:Datalog.holds
    ~exclusive:(fun db f -> f db)
    ()

let coarse kind =
  let holding (mutex, db) f = Subject.holding mutex (fun () -> f db) in
  subject kind
    ~make:(fun program -> (Mutex.create (), Datalog.create program))
    ~insert:(fun t atom -> holding t (fun db -> Datalog.assert_fact db atom))
    ~query:(fun t q -> holding t (fun db -> Datalog.query db q))
    ~holds:(fun t q -> holding t (fun db -> Datalog.holds db q))
    ~exclusive:holding ()

let batched kind =
  subject kind
    ~make:(fun program -> Batched.create program)
    ~insert:Batched.assert_fact ~query:Batched.query ~holds:Batched.holds ~exclusive:Batched.exclusive
    ~figures:(fun db -> Methods.statistics (Batched.stats db))
    ()

let benchmark kind ~group ~name ~what =
  Single.benchmark ~group ~name ~greatest
    ~doc:
      (Printf.sprintf
         "paths in a graph of 200 nodes and 30,000 edges (50 and 1,875 below 5,000 operations): 90 %% %s, 10 \
          %% new edges"
         what)
    ~default_size:50_000 ~sequential:(sequential kind) ~coarse:(coarse kind) (batched kind)

let benchmarks ~group ~mixes =
  [
    benchmark Answers ~group ~name:"batch_datalog" ~what:"queries for all that a node leads to";
    benchmark Whether ~group:mixes ~name:"batch_datalog_point" ~what:"queries for yes or no";
  ]
