open Weft_containers

let nodes = 200
let edge_count = 30_000
let program = "path(X, Y) :- edge(X, Y).\npath(X, Z) :- edge(X, Y), path(Y, Z).\n"
let seed = [| 2014; 2024 |]
let node i = Datalog.Value (Symbol (Printf.sprintf "n%d" i))
let edge k = Datalog.atom "edge" [ node (k / nodes); node (k mod nodes) ]

let shuffle random a =
  for i = Array.length a - 1 downto 1 do
    let j = Random.State.int random (i + 1) in
    let x = a.(i) in
    a.(i) <- a.(j);
    a.(j) <- x
  done

(* All possible edges, loops included, in random order. *)
let order =
  let order = Array.init (nodes * nodes) Fun.id in
  shuffle (Random.State.make seed) order;
  order

let edges = Array.init edge_count (fun i -> edge order.(i))

let start () =
  let rules = Datalog.parse program in
  { rules with rules = rules.rules @ List.map (fun a -> Datalog.rule a []) (Array.to_list edges) }

type operation = Insert of Datalog.atom | Ask of Datalog.query
type kind = Point | From

let operations ?(queries = 45_000) ?(inserts = 5_000) kind =
  if inserts > (nodes * nodes) - edge_count then invalid_arg "Workload.operations: so many edges do not exist";
  let random = Random.State.make seed in
  let ask () =
    let from = node (Random.State.int random nodes) in
    let towards =
      match kind with Point -> node (Random.State.int random nodes) | From -> Datalog.Variable "X"
    in
    Ask (Datalog.ask [ Holds (Datalog.atom "path" [ from; towards ]) ])
  in
  let operation i = if i < inserts then Insert (edge order.(edge_count + i)) else ask () in
  let operations = Array.init (inserts + queries) operation in
  shuffle random operations;
  operations

let expected_paths = nodes * nodes
let expected_edges ~inserts = edge_count + inserts
