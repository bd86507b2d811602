open Weft_bench_harness
open Weft_bench_contestants

let branches = 7
let rec leaves depth = if depth = 0 then 1 else branches * leaves (depth - 1)

(* There are [(leaves depth - 1) / (branches - 1)] inner nodes, and each forks [branches - 1] times. *)
let forks depth = leaves depth - 1

(* {1 The programs}

   [from depth k] is the number of leaves below branch [k] and the branches to its right, of a node with
   [depth] levels below it. *)

let rec sequential depth = if depth = 0 then 1 else from depth 1

and from depth k =
  let here = sequential (depth - 1) in
  if k = branches then here else here + from depth (k + 1)

let rec par cutoff depth = if depth <= cutoff then sequential depth else par_from cutoff depth 1

and par_from cutoff depth k =
  if k = branches then par cutoff (depth - 1)
  else
    let here, right = Weft.par (fun () -> par cutoff (depth - 1)) (fun () -> par_from cutoff depth (k + 1)) in
    here + right

let rec async cutoff depth =
  if depth <= cutoff then sequential depth
  else
    let branch _ = Weft.async (fun () -> async cutoff (depth - 1)) in
    let others = List.init (branches - 1) branch in
    let here = async cutoff (depth - 1) in
    List.fold_left (fun sum other -> sum + Weft.await other) here others

(* 343 parts. *)
let levels_cut_by_hand = 3

let domain_spawn ~domains cutoff depth =
  let below = max cutoff (max 0 (depth - levels_cut_by_hand)) in
  let parts = if below >= depth then [ depth ] else List.init (leaves (depth - below)) (fun _ -> below) in
  Domain_spawn.sum ~domains sequential parts

(* {1 The benchmark} *)

(* By default the sequential program takes over only at the leaves. *)
let levels_to_cut = Option.value ~default:0

let work ?forks size compute =
  Some
    (Benchmark.Work
       {
         prepare = (fun () -> size);
         compute;
         check = Benchmark.int_check ~expected:(leaves size);
         forks;
         figures = Benchmark.no_figures;
       })

let forking program : Benchmark.params -> _ =
 fun { size; cutoff; _ } ->
  let forks = if Option.is_none cutoff then Some (forks size) else None in
  work ?forks size (program (levels_to_cut cutoff))

let benchmark : Benchmark.t =
  {
    name = "dfs";
    group = None;
    doc = Printf.sprintf "depth-first search of a tree of %d branches with empty leaves" branches;
    size_doc = "how deep the tree is";
    grain = Cutoff "with this many levels to go the sequential program runs";
    sizes = (0, 11);
    default_cutoffs = [ None ];
    default_size = (fun _ -> 7);
    more_sizes = [];
    quick_size = (fun _ -> 7);
    sweep_cutoffs = [ 1; 2; 3; 4; 5; 6 ];
    sweep_sizes = [ 5; 6; 7; 8; 9 ];
    paced = false;
    ways =
      [
        { contestant = Plain.contestant; work = (fun { size; _ } -> work size sequential) };
        { contestant = Weft_pool.par; work = forking par };
        { contestant = Weft_pool.async; work = forking async };
        {
          contestant = Domain_spawn.contestant;
          work =
            (fun { size; cutoff; domains } ->
              if domains = 1 then None else work size (domain_spawn ~domains (levels_to_cut cutoff)));
        };
      ];
  }
