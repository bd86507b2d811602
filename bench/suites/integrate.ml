open Weft_bench_harness
open Weft_bench_contestants

let[@inline] f x = ((x *. x) +. 1.) *. x
let epsilon = 1e-9

let exact n =
  let square = float_of_int n *. float_of_int n in
  0.25 *. square *. (square +. 2.)

(* {1 The programs}

   [(x1, y1)] and [(x2, y2)] are the points at the ends of an interval, [area] is the area of the trapezium
   below them, [(x0, y0)] is the point in the middle. *)

let rec sequential x1 y1 x2 y2 area =
  let half = (x2 -. x1) /. 2. in
  let x0 = x1 +. half in
  let y0 = f x0 in
  let left = (y1 +. y0) /. 2. *. half and right = (y0 +. y2) /. 2. *. half in
  let both = left +. right in
  if Float.abs (both -. area) < epsilon then both
  else
    let left = sequential x1 y1 x0 y0 left in
    left +. sequential x0 y0 x2 y2 right

let rec par width x1 y1 x2 y2 area =
  if x2 -. x1 <= width then sequential x1 y1 x2 y2 area
  else
    let half = (x2 -. x1) /. 2. in
    let x0 = x1 +. half in
    let y0 = f x0 in
    let left = (y1 +. y0) /. 2. *. half and right = (y0 +. y2) /. 2. *. half in
    let both = left +. right in
    if Float.abs (both -. area) < epsilon then both
    else
      let left, right =
        Weft.par (fun () -> par width x1 y1 x0 y0 left) (fun () -> par width x0 y0 x2 y2 right)
      in
      left +. right

let rec async width x1 y1 x2 y2 area =
  if x2 -. x1 <= width then sequential x1 y1 x2 y2 area
  else
    let half = (x2 -. x1) /. 2. in
    let x0 = x1 +. half in
    let y0 = f x0 in
    let left = (y1 +. y0) /. 2. *. half and right = (y0 +. y2) /. 2. *. half in
    let both = left +. right in
    if Float.abs (both -. area) < epsilon then both
    else
      let left = Weft.async (fun () -> async width x1 y1 x0 y0 left) in
      let right = async width x0 y0 x2 y2 right in
      Weft.await left +. right

(* {1 The benchmark} *)

let tolerance n = 1e-6 *. float_of_int n *. float_of_int n

let check n area =
  let expected = exact n in
  if Float.abs (area -. expected) <= tolerance n then Ok ()
  else
    let show = Printf.sprintf "%.17g" in
    Error
      { Benchmark.expected = Printf.sprintf "%s within %g" (show expected) (tolerance n); got = show area }

let work size integrate =
  Some
    (Benchmark.Work
       {
         prepare = (fun () -> float_of_int size);
         compute =
           (fun finish ->
             let start = 0. in
             integrate start (f start) finish (f finish) ((f start +. f finish) /. 2. *. (finish -. start)));
         check = check size;
         forks = None (* the number of halved intervals is not known without running the program *);
         figures = Benchmark.no_figures;
       })

(* Without a cutoff, no interval is narrow enough for the sequential program. *)
let width = Option.fold ~none:(-1.) ~some:float_of_int

let benchmark : Benchmark.t =
  {
    name = "integrate";
    group = None;
    doc = "integral of (x * x + 1) * x by adaptive quadrature";
    size_doc = "the upper end; the lower is 0";
    grain = Cutoff "in intervals of at most this width the sequential program runs";
    sizes = (0, 100_000);
    default_cutoffs = [ None ];
    default_size = (fun _ -> 10_000);
    more_sizes = [];
    quick_size = (fun _ -> 200);
    sweep_cutoffs = [ 1; 4; 16; 64; 256; 1_024 ];
    sweep_sizes = [ 10; 100; 1_000; 10_000 ];
    paced = false;
    ways =
      [
        { contestant = Plain.contestant; work = (fun { size; _ } -> work size sequential) };
        { contestant = Weft_pool.par; work = (fun { size; cutoff; _ } -> work size (par (width cutoff))) };
        { contestant = Weft_pool.async; work = (fun { size; cutoff; _ } -> work size (async (width cutoff))) };
      ];
  }
