open Weft_bench_harness

(* A run of small matrices has more of them, so that it takes some milliseconds, too. *)
let copies size =
  let times = 400 / max 1 size in
  max 2 (min 16 (times * times))

(* The elements on the diagonal are much greater than the others, so no pivot is small. *)
let make size =
  let random = Random.State.make [| 700; size |] in
  let element i j = Random.State.float random 1. +. if i = j then float_of_int size else 0. in
  Array.init size (fun i -> Array.init size (element i))

(* {1 The programs} *)

let decompose (for_ : Ways.for_) a =
  let n = Array.length a in
  for k = 0 to n - 2 do
    let pivot_row : float array = a.(k) in
    for_ ~start:(k + 1) ~finish:(n - 1) ~body:(fun i ->
        let row : float array = a.(i) in
        let factor = row.(k) /. pivot_row.(k) in
        row.(k) <- factor;
        for j = k + 1 to n - 1 do
          row.(j) <- row.(j) -. (factor *. pivot_row.(j))
        done)
  done

let decompose_in_place a =
  let n = Array.length a in
  for k = 0 to n - 2 do
    let pivot_row : float array = a.(k) in
    for i = k + 1 to n - 1 do
      let row : float array = a.(i) in
      let factor = row.(k) /. pivot_row.(k) in
      row.(k) <- factor;
      for j = k + 1 to n - 1 do
        row.(j) <- row.(j) -. (factor *. pivot_row.(j))
      done
    done
  done

let for_all decompose matrices =
  List.iter decompose matrices;
  matrices

(* {1 The check} *)

(* Row [i] of the product, as a combination of the rows of the upper triangle. *)
let product_row (a : float array array) i =
  let n = Array.length a in
  let row = Array.make n 0. in
  for k = 0 to i do
    let factor = if k = i then 1. else a.(i).(k) and upper = a.(k) in
    for j = k to n - 1 do
      row.(j) <- row.(j) +. (factor *. upper.(j))
    done
  done;
  row

let relative_error ~original a =
  let difference = ref 0. and greatest = ref 0. in
  Array.iteri
    (fun i row ->
      Array.iter2
        (fun wanted x ->
          difference := Float.max !difference (Float.abs (x -. wanted));
          greatest := Float.max !greatest (Float.abs wanted))
        row (product_row a i))
    original;
  !difference /. !greatest

let error_bound size = float_of_int size *. epsilon_float

(* The expected triangles and their error. The result of each method must be the same, bit for bit. *)
let expected =
  Checks.once_per_size (fun size ->
      let a = make size in
      decompose_in_place a;
      (a, relative_error ~original:(make size) a))

let check size matrices =
  let expected, error = expected size in
  if not (error <= error_bound size) then
    let show = Printf.sprintf "relative error %g" in
    Error { Benchmark.expected = show (error_bound size) ^ " at most"; got = show error }
  else
    List.fold_left (fun so_far a -> Result.bind so_far (fun () -> Checks.matrix ~expected a)) (Ok ()) matrices

let problem size : (float array array list, float array array list) Ways.problem =
  { prepare = (fun () -> List.init (copies size) (fun _ -> make size)); check = check size }

let loop = Ways.Loop (problem, fun for_ -> for_all (decompose for_))

let benchmark : Benchmark.t =
  {
    name = "lu";
    group = None;
    doc =
      "LU decomposition, a loop over the rows below for every row, of 2 matrices, and more if they are small";
    size_doc = "the number of rows";
    grain = Chunk Ways.chunk_doc;
    sizes = (1, 5_000);
    default_cutoffs = [ None ];
    default_size = (fun _ -> 700);
    more_sizes = [ 100; 200; 400 ];
    quick_size = (fun _ -> 200);
    sweep_cutoffs = [ 1; 4; 16; 64; 256 ];
    sweep_sizes = [ 100; 200; 400; 700 ];
    paced = false;
    ways =
      Ways.of_loops problem
        ~program:(fun for_ -> for_all (decompose for_))
        ~in_place:(for_all decompose_in_place);
  }
