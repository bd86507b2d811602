open Weft_bench_harness
open Weft_bench_contestants

type count = { nodes : int; depth : int; leaves : int }
type tree = { seed : int; children : height:int -> Splitting.t -> int }

(* {1 Trees} *)

(* From 0 to 1, without 1. *)
let[@inline] uniform state = float_of_int (Splitting.random state) /. 2147483648.
let branching = 4.
let most_children = 100

let geometric ~seed ~depth =
  (* [p] is the parameter of the geometric distribution with mean [branching]. *)
  let p = 1. /. (1. +. branching) in
  let scale = Float.log (1. -. p) in
  let children ~height state =
    if height >= depth && height > 0 then 0
    else Int.min most_children (int_of_float (Float.floor (Float.log (1. -. uniform state) /. scale)))
  in
  { seed; children }

let binomial ~seed ~root ~probability ~children =
  let children ~height state =
    if height = 0 then root else if uniform state < probability then children else 0
  in
  { seed; children }

(* {1 The programs} *)

let leaf height = { nodes = 1; depth = height; leaves = 1 }
let with_root a = { a with nodes = a.nodes + 1 }
let both a b = { nodes = a.nodes + b.nodes; depth = Int.max a.depth b.depth; leaves = a.leaves + b.leaves }

let rec sequential tree height state =
  let n = tree.children ~height state in
  if n = 0 then leaf height
  else with_root (children tree (height + 1) state n 1 (child tree (height + 1) state 0))

and child tree height state i = sequential tree height (Splitting.child state i)

and children tree height state n i counted =
  if i = n then counted else children tree height state n (i + 1) (both counted (child tree height state i))

(* Halves the range of children, so that the last ones of a root with thousands need not wait until all
   others are forked. *)
let rec par tree height state =
  let n = tree.children ~height state in
  if n = 0 then leaf height else with_root (par_range tree (height + 1) state 0 (n - 1))

and par_range tree height state first last =
  if first = last then par tree height (Splitting.child state first)
  else
    let middle = first + ((last - first) / 2) in
    let left, right =
      Weft.par
        (fun () -> par_range tree height state first middle)
        (fun () -> par_range tree height state (middle + 1) last)
    in
    both left right

let rec async tree height state =
  let n = tree.children ~height state in
  if n = 0 then leaf height
  else
    let child i () = async tree (height + 1) (Splitting.child state i) in
    let others = List.init (n - 1) (fun i -> Weft.async (child (i + 1))) in
    let here = child 0 () in
    with_root (List.fold_left (fun sum other -> both sum (Weft.await other)) here others)

let run search tree = search tree 0 (Splitting.root tree.seed)

(* {1 The check} *)

let count tree =
  let rec next counted = function
    | [] -> counted
    | (height, state) :: waiting ->
        let n = tree.children ~height state in
        let counted =
          {
            nodes = counted.nodes + 1;
            depth = Int.max counted.depth height;
            leaves = (counted.leaves + if n = 0 then 1 else 0);
          }
        in
        let rec add i waiting =
          if i = n then waiting else add (i + 1) ((height + 1, Splitting.child state i) :: waiting)
        in
        next counted (add 0 waiting)
  in
  next { nodes = 0; depth = 0; leaves = 0 } [ (0, Splitting.root tree.seed) ]

let show { nodes; depth; leaves } = Printf.sprintf "%d nodes, depth %d, %d leaves" nodes depth leaves

let check expected got =
  if expected = got then Ok () else Error { Benchmark.expected = show expected; got = show got }

(* {1 The benchmarks} *)

let benchmark ~name ~doc ~size_doc ~size ~quick ~least ~sweep ~published tree : Benchmark.t =
  let counted = Checks.once_per_size (fun size -> count (tree size)) in
  let expected n = if n = size then published else counted n in
  let problem n : (tree, count) Ways.problem =
    { prepare = (fun () -> tree n); check = (fun got -> check (expected n) got) }
  in
  let way contestant search = Ways.way contestant problem (fun _ -> Some (run search)) in
  {
    name;
    group = Some "uts";
    doc;
    size_doc;
    grain = Fixed;
    sizes = (least, size);
    default_cutoffs = [ None ];
    default_size = (fun _ -> size);
    more_sizes = [];
    quick_size = (fun _ -> quick);
    sweep_cutoffs = [];
    sweep_sizes = sweep;
    paced = false;
    ways = [ way Plain.contestant sequential; way Weft_pool.par par; way Weft_pool.async async ];
  }

let geometric_benchmark ~name ~doc ~seed ~depth ~published =
  benchmark ~name ~doc ~size_doc:"the depth below which there is nothing" ~size:depth ~quick:6 ~least:0
    ~sweep:(List.init 4 (fun k -> depth - 6 + (2 * k)))
    ~published
    (fun depth -> geometric ~seed ~depth)

let binomial_benchmark ~name ~doc ~seed ~probability ~children ~quick ~published =
  let root = 2_000 in
  benchmark ~name ~doc ~size_doc:"how many children the root has" ~size:root ~quick ~least:0
    ~sweep:[ 20; 200; root ] ~published (fun root -> binomial ~seed ~root ~probability ~children)

let benchmarks =
  [
    geometric_benchmark ~name:"uts_t1" ~doc:"search of an unbalanced tree, geometric: T1" ~seed:19 ~depth:10
      ~published:{ nodes = 4_130_071; depth = 10; leaves = 3_305_118 };
    binomial_benchmark ~name:"uts_t3" ~doc:"search of an unbalanced tree, binomial, 1,572 deep: T3" ~seed:42
      ~probability:0.124875 ~children:8 ~quick:20
      ~published:{ nodes = 4_112_897; depth = 1_572; leaves = 3_599_034 };
  ]

let large =
  [
    geometric_benchmark ~name:"uts_t1l" ~doc:"search of an unbalanced tree, geometric, large: T1L" ~seed:29
      ~depth:13
      ~published:{ nodes = 102_181_082; depth = 13; leaves = 81_746_377 };
    binomial_benchmark ~name:"uts_t3l" ~doc:"search of an unbalanced tree, binomial, 17,844 deep: T3L" ~seed:7
      ~probability:0.200014 ~children:5 ~quick:20
      ~published:{ nodes = 111_345_631; depth = 17_844; leaves = 89_076_904 };
  ]
