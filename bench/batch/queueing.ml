open Weft_bench_harness

type element = int * int

(* {1 The check} *)

let check ~all ~popped ~rest ~there =
  let wrong expected got = Error { Benchmark.expected; got } in
  let in_order elements = List.sort compare elements in
  let rec first_difference = function
    | [], [] -> None
    | (p, id) :: _, [] -> Some (Printf.sprintf "element %d of priority %d" id p, "none")
    | [], (p, id) :: _ -> Some ("no more elements", Printf.sprintf "element %d of priority %d" id p)
    | x :: xs, y :: ys when x = y -> first_difference (xs, ys)
    | (p, id) :: _, (p', id') :: _ ->
        Some
          (Printf.sprintf "element %d of priority %d" id p, Printf.sprintf "element %d of priority %d" id' p')
  in
  match first_difference (in_order all, in_order (List.rev_append popped rest)) with
  | Some (expected, got) -> wrong (expected ^ ", popped or left") got
  | None ->
      let greatest = List.fold_left (fun most (p, _) -> max most p) min_int popped in
      let least =
        List.fold_left (fun least (p, id) -> if there id then min least p else least) max_int rest
      in
      if greatest <= least then Ok ()
      else
        wrong
          (Printf.sprintf "priority %d before all greater ones" least)
          (Printf.sprintf "priority %d popped" greatest)

(* {1 The program} *)

let priorities = 1 lsl 30
let before_each = 5
let most_before = 2_000_000

(* The elements at the start have negative numbers; the one that operation [i] pushes has the number [i]. *)
type 'q input = {
  queue : 'q;
  before : element array;
  pushes : int array;  (** the priority of the element to push; -1 to pop instead *)
  popped : element option array;
}

let prepare make n =
  let random = Random.State.make [| n |] in
  let priority () = Random.State.full_int random priorities in
  let before = Array.init (min most_before (before_each * n)) (fun j -> (priority (), -1 - j)) in
  let pushes = Array.init n (fun _ -> if Random.State.bool random then priority () else -1) in
  { queue = make before; before; pushes; popped = Array.make n None }

let check_input rest n { queue; before; pushes; popped } =
  let pushed = List.filter (fun (p, _) -> p >= 0) (List.init n (fun i -> (pushes.(i), i))) in
  check
    ~all:(Array.fold_left (fun all x -> x :: all) pushed before)
    ~popped:(List.filter_map Fun.id (Array.to_list popped))
    ~rest:(List.of_seq (rest queue))
    ~there:(fun id -> id < 0)

let subject ?(figures = fun _ -> []) ~make ~push ~pop ~rest () =
  Single.Subject
    {
      prepare = prepare make;
      step =
        (fun { queue; pushes; popped; _ } i ->
          if pushes.(i) >= 0 then push queue pushes.(i) i else popped.(i) <- pop queue);
      check = check_input rest;
      figures = (fun { queue; _ } -> figures queue);
    }

module Sequential = Weft_containers.Priority_queue.Make (Int)
module Batched = Weft_batch.Priority_queue.Make (Int)

let make before = Sequential.of_seq (Array.to_seq before)
let sequential = subject ~make ~push:Sequential.push ~pop:Sequential.pop_min ~rest:Sequential.to_seq ()

let coarse =
  let holding (mutex, queue) f = Subject.holding mutex (fun () -> f queue) in
  subject
    ~make:(fun before -> (Mutex.create (), make before))
    ~push:(fun q p x -> holding q (fun queue -> Sequential.push queue p x))
    ~pop:(fun q -> holding q Sequential.pop_min)
    ~rest:(fun (_, queue) -> Sequential.to_seq queue)
    ()

let batched =
  let make before =
    let queue = Batched.create () in
    Batched.exclusive queue (fun s -> Array.iter (fun (p, x) -> Batched.Sequential.push s p x) before);
    queue
  in
  subject ~make ~push:Batched.push ~pop:Batched.pop_min ~rest:Batched.to_seq
    ~figures:(fun queue -> Methods.statistics (Batched.stats queue))
    ()

let benchmark ~group =
  Single.benchmark ~group ~name:"batch_priority_queue"
    ~doc:
      (Printf.sprintf "elements pushed and taken off a priority queue of %d times as many (at most %d)"
         before_each most_before)
    ~default_size:1_000_000 ~sequential ~coarse batched
