open Weft_bench_harness
open Weft_bench_contestants

let branches = 10
let rec leaves levels = if levels = 0 then 1 else branches * leaves (levels - 1)

let expected levels =
  let n = leaves levels in
  n * (n - 1) / 2

(* Each inner node forks all its branches but one. *)
let forks levels = leaves levels - 1

(* {1 The programs}

   [first] is the least number below a node, [width] the number of leaves below it. *)

let rec sequential first width = if width = 1 then first else from first (width / branches) branches

(* The sum of [n] branches of [width] leaves each; the first branch begins with [first]. *)
and from first width n =
  let here = sequential first width in
  if n = 1 then here else here + from (first + width) width (n - 1)

let rec par first width = if width = 1 then first else par_from first (width / branches) branches

and par_from first width n =
  if n = 1 then par first width
  else
    let here, right =
      Weft.par (fun () -> par first width) (fun () -> par_from (first + width) width (n - 1))
    in
    here + right

let rec async first width =
  if width = 1 then first
  else
    let width = width / branches in
    let branch i () = async (first + (i * width)) width in
    let others = List.init (branches - 1) (fun i -> Weft.async (branch (i + 1))) in
    let here = branch 0 () in
    List.fold_left (fun sum other -> sum + Weft.await other) here others

(* The answers come in any order, through a channel with room for all of them. *)
let rec answer channel first width =
  if width = 1 then Weft.Chan.send channel first
  else
    let width = width / branches in
    let answers = Weft.Chan.bounded branches in
    for i = 0 to branches - 1 do
      let branch () = answer answers (first + (i * width)) width in
      ignore (Weft.async branch : unit Weft.promise)
    done;
    let sum = ref 0 in
    for _ = 1 to branches do
      sum := !sum + Weft.Chan.recv answers
    done;
    Weft.Chan.send channel !sum

let fibers first width =
  let channel = Weft.Chan.bounded 1 in
  answer channel first width;
  Weft.Chan.recv channel

(* {1 The benchmark} *)

let work ?forks program : Benchmark.params -> _ =
 fun { size; _ } ->
  Some
    (Benchmark.Work
       {
         prepare = (fun () -> leaves size);
         compute = (fun width -> program 0 width);
         check = Benchmark.int_check ~expected:(expected size);
         forks = Option.map (fun forks -> forks size) forks;
         figures = Benchmark.no_figures;
       })

let benchmark : Benchmark.t =
  {
    name = "skynet";
    group = None;
    doc =
      Printf.sprintf "sum of the numbers at the leaves of a tree of %d branches, a task for each node"
        branches;
    size_doc = "the number of levels";
    grain = Fixed;
    sizes = (0, 8);
    default_cutoffs = [ None ];
    default_size = (fun _ -> 6);
    more_sizes = [];
    quick_size = (fun _ -> 4);
    sweep_cutoffs = [];
    sweep_sizes = [ 3; 4; 5; 6; 7 ];
    paced = false;
    ways =
      [
        { contestant = Plain.contestant; work = work sequential };
        { contestant = Weft_pool.par; work = work ~forks par };
        { contestant = Weft_pool.async; work = work ~forks async };
        { contestant = Weft_pool.fibers; work = work fibers };
      ];
  }
