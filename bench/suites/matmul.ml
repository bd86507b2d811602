open Weft_bench_harness

let times = 2

type input = { a : float array array; b : float array array }

let make size =
  let random = Random.State.make [| 500; size |] in
  let matrix () = Array.init size (fun _ -> Array.init size (fun _ -> Random.State.float random 1.)) in
  let a = matrix () in
  { a; b = matrix () }

(* {1 The programs} *)

(* [c_i + a_i b] for one row. It goes along the rows of [b], in the order of memory. *)

let program (for_ : Ways.for_) { a; b } =
  let n = Array.length a in
  let c = Array.init n (fun _ -> Array.make n 0.) in
  for_ ~start:0 ~finish:(n - 1) ~body:(fun i ->
      let a_i : float array = a.(i) and c_i : float array = c.(i) in
      for k = 0 to n - 1 do
        let x = a_i.(k) and b_k : float array = b.(k) in
        for j = 0 to n - 1 do
          c_i.(j) <- c_i.(j) +. (x *. b_k.(j))
        done
      done);
  c

let in_place { a; b } =
  let n = Array.length a in
  let c = Array.init n (fun _ -> Array.make n 0.) in
  for i = 0 to n - 1 do
    let a_i : float array = a.(i) and c_i : float array = c.(i) in
    for k = 0 to n - 1 do
      let x = a_i.(k) and b_k : float array = b.(k) in
      for j = 0 to n - 1 do
        c_i.(j) <- c_i.(j) +. (x *. b_k.(j))
      done
    done
  done;
  c

(* Only the last product is checked. *)
let again product input =
  for _ = 2 to times do
    ignore (Sys.opaque_identity (product input))
  done;
  product input

(* {1 The check} *)

(* By the definition: each element alone, its terms added in the same order as in the programs. *)
let expected =
  Checks.once_per_size (fun size ->
      let { a; b } = make size in
      let columns = Array.init size (fun j -> Array.init size (fun k -> b.(k).(j))) in
      let element (row : float array) (column : float array) =
        let sum = ref 0. in
        for k = 0 to size - 1 do
          sum := !sum +. (row.(k) *. column.(k))
        done;
        !sum
      in
      Array.init size (fun i -> Array.init size (fun j -> element a.(i) columns.(j))))

let problem size : (input, float array array) Ways.problem =
  { prepare = (fun () -> make size); check = (fun c -> Checks.matrix ~expected:(expected size) c) }

let loop = Ways.Loop (problem, fun for_ -> again (program for_))

let benchmark : Benchmark.t =
  {
    name = "matmul";
    group = None;
    doc = Printf.sprintf "product of two square matrices by a loop over its rows, %d times" times;
    size_doc = "the number of rows";
    grain = Chunk Ways.chunk_doc;
    sizes = (1, 5_000);
    default_cutoffs = [ None ];
    default_size = (fun _ -> 500);
    more_sizes = [ 1024 ];
    quick_size = (fun _ -> 160);
    sweep_cutoffs = [ 1; 4; 16; 64; 256 ];
    sweep_sizes = [ 250; 500; 1024 ];
    paced = false;
    ways = Ways.of_loops problem ~program:(fun for_ -> again (program for_)) ~in_place:(again in_place);
  }
