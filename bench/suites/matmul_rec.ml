open Weft_bench_harness
open Weft_bench_contestants

type input = { n : int; a : floatarray; b : floatarray; c : floatarray }

let make n =
  let random = Random.State.make [| 1024; n |] in
  let matrix () = Float.Array.init (n * n) (fun _ -> Random.State.float random 1.) in
  let a = matrix () in
  let b = matrix () in
  { n; a; b; c = Float.Array.make (n * n) 0. }

(* {1 The programs}

   The task: add the product of [rows] by [inner] elements of [a] and [inner] by [columns] elements of [b] to
   [rows] by [columns] elements of [c], where [i], [j] and [k] are the first row, column and inner index. *)

let multiply_here { n; a; b; c } i rows j columns k inner =
  for i = i to i + rows - 1 do
    let c_row = i * n in
    for k = k to k + inner - 1 do
      let x = Float.Array.get a ((i * n) + k) and b_row = k * n in
      for j = j to j + columns - 1 do
        let sum = Float.Array.get c (c_row + j) +. (x *. Float.Array.get b (b_row + j)) in
        Float.Array.set c (c_row + j) sum
      done
    done
  done

let rec sequential cutoff t i rows j columns k inner =
  if max rows (max columns inner) <= cutoff then multiply_here t i rows j columns k inner
  else if inner > rows && inner > columns then (
    let half = inner / 2 in
    sequential cutoff t i rows j columns k half;
    sequential cutoff t i rows j columns (k + half) (inner - half))
  else if rows >= columns then (
    let half = rows / 2 in
    sequential cutoff t i half j columns k inner;
    sequential cutoff t (i + half) (rows - half) j columns k inner)
  else
    let half = columns / 2 in
    sequential cutoff t i rows j half k inner;
    sequential cutoff t i rows (j + half) (columns - half) k inner

let rec par cutoff t i rows j columns k inner =
  if max rows (max columns inner) <= cutoff then multiply_here t i rows j columns k inner
  else if inner > rows && inner > columns then (
    let half = inner / 2 in
    par cutoff t i rows j columns k half;
    par cutoff t i rows j columns (k + half) (inner - half))
  else if rows >= columns then
    let half = rows / 2 in
    let (), () =
      Weft.par
        (fun () -> par cutoff t i half j columns k inner)
        (fun () -> par cutoff t (i + half) (rows - half) j columns k inner)
    in
    ()
  else
    let half = columns / 2 in
    let (), () =
      Weft.par
        (fun () -> par cutoff t i rows j half k inner)
        (fun () -> par cutoff t i rows (j + half) (columns - half) k inner)
    in
    ()

let whole multiply t =
  multiply t 0 t.n 0 t.n 0 t.n;
  t

let domain_spawn ~domains cutoff t =
  let some_rows first last = if first <= last then sequential cutoff t first (last - first + 1) 0 t.n 0 t.n in
  ignore (Domain_spawn.map_ranges ~domains ~start:0 ~finish:(t.n - 1) some_rows : unit list);
  t

(* {1 The check} *)

(* [times n m x] is the product of [m] and a vector. *)
let times n m x =
  let element i =
    let sum = ref 0. in
    for j = 0 to n - 1 do
      sum := !sum +. (Float.Array.get m ((i * n) + j) *. x.(j))
    done;
    !sum
  in
  Array.init n element

(* [c x] must be [a (b x)] but for rounding (Freivalds, 1977). No number is negative, so the relative error
   of each side is at most about [2 n] roundings. [x] has no small elements, which could hide errors. *)
let check { n; a; b; c } =
  let random = Random.State.make [| n |] in
  let x = Array.init n (fun _ -> 1. +. Random.State.float random 1.) in
  let expected = times n a (times n b x) and got = times n c x in
  let bound = 4. *. float_of_int n *. epsilon_float in
  let close expected got = Float.abs (got -. expected) <= bound *. expected in
  Checks.elements ~equal:close ~show:Checks.show_float ~length:n ~expected:(Array.get expected)
    (Array.get got)

let problem size : (input, input) Ways.problem = { prepare = (fun () -> make size); check }
let base = 64

let benchmark : Benchmark.t =
  {
    name = "matmul_rec";
    group = None;
    doc = "product of two square matrices by divide and conquer";
    size_doc = "the number of rows";
    grain =
      Cutoff "blocks of at most this many rows, columns and inner elements are multiplied by plain loops";
    sizes = (1, 5_000);
    default_cutoffs = [ Some base ];
    default_size = (function Some _ -> 1024 | None -> 256);
    more_sizes = [];
    quick_size = (function Some _ -> 256 | None -> 64);
    sweep_cutoffs = [ 8; 16; 32; 64; 128 ];
    sweep_sizes = [ 128; 256; 512; 1024 ];
    paced = false;
    ways =
      [
        Ways.way Plain.contestant problem (fun _ -> Some (whole (sequential base)));
        Ways.way Weft_pool.par problem (fun { cutoff; _ } ->
            Some (whole (par (Option.value cutoff ~default:1))));
        Ways.way Domain_spawn.contestant problem (fun { cutoff; domains; _ } ->
            match cutoff with
            | Some cutoff when domains > 1 -> Some (domain_spawn ~domains cutoff)
            | _ -> None);
      ];
  }
