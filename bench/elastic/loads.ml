open Weft_bench_harness

(* {1 Many tasks of about a millisecond} *)

type tree = Leaf | Node of tree * int * tree

let rec build depth x = if depth = 0 then Leaf else Node (build (depth - 1) x, x, build (depth - 1) (x + 1))
let rec total = function Leaf -> 0 | Node (left, x, right) -> total left + x + total right
let length = 400
let depth = 9
let times = 60

let alloc_task i =
  let sum = ref 0 in
  for time = 1 to times do
    let numbers = List.map succ (List.init length (fun k -> i + k)) in
    sum := !sum + List.fold_left ( + ) 0 numbers + total (build depth time)
  done;
  !sum

(* A node in depth d has the value x + k if the way to it goes right k times. So the mean of the 2^d nodes
   in depth d is x + d/2, and their sum is 2^d x + d 2^d / 2. *)
let expected_tree x =
  let at d = (x lsl d) + ((d lsl d) / 2) in
  List.fold_left (fun sum d -> sum + at d) 0 (List.init depth Fun.id)

let expected_alloc n =
  let of_task i = times * ((length * (i + 1)) + (length * (length - 1) / 2)) in
  let trees = List.fold_left (fun sum time -> sum + expected_tree (time + 1)) 0 (List.init times Fun.id) in
  List.fold_left (fun sum i -> sum + of_task i + trees) 0 (List.init n Fun.id)

let factor = 0x2545F4914F6CDD1D
let summand = 0x9E3779B97F4A7C1
let steps = 400_000

let compute_task i =
  let x = ref i in
  for _ = 1 to steps do
    x := (!x * factor) + summand
  done;
  !x

(* Makes [steps] steps at once: squares the map x |-> a x + b again and again. *)
let expected_compute n =
  let then_ (a, b) (c, d) = (c * a, (c * b) + d) in
  let rec power f k =
    if k = 0 then (1, 0)
    else
      let half = power (then_ f f) (k / 2) in
      if k mod 2 = 1 then then_ f half else half
  in
  let a, b = power (factor, summand) steps in
  List.fold_left (fun sum i -> sum + (a * i) + b) 0 (List.init n Fun.id)

let check_sum expected size sum = Benchmark.int_check ~expected:(expected size) sum

let all_tasks task size =
  let results = Array.make size 0 in
  (Pools.current ()).for_ size (fun i -> results.(i) <- task i);
  Array.fold_left ( + ) 0 results

let check_alloc = check_sum expected_alloc
let check_compute = check_sum expected_compute

let alloc_in_a_row size =
  let sum = ref 0 in
  for i = 0 to size - 1 do
    sum := !sum + alloc_task i
  done;
  !sum

let tasks ~name ~doc task expected =
  Simple.benchmark ~name ~doc ~size_doc:"the number of tasks" ~default_size:2_048
    (List.map
       (Simple.way ~check:(check_sum expected) (all_tasks task))
       [ Pools.parked; Pools.weft; Pools.weft_equal_heap ])

let alloc =
  tasks ~name:"alloc" ~doc:"tasks of about a millisecond that build lists and trees" alloc_task expected_alloc

let compute =
  tasks ~name:"compute" ~doc:"tasks of about a millisecond that allocate nothing" compute_task
    expected_compute
