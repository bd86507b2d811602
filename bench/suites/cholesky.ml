open Weft_bench_contestants

(* {1 Problem} *)

(* Symmetric and diagonally dominant, so positive definite. *)
let matrix n =
  let element i j = if i = j then float_of_int n else 1. /. float_of_int (1 + abs (i - j)) in
  Array.init n (fun i -> Array.init n (element i))

(* {1 The programs}

   Column [k] of the factor is found, and then subtracted from what is left of the rows below. The lower
   triangle becomes the factor. *)

let subtract (a : float array array) k i =
  let row = a.(i) in
  let x = row.(k) in
  for j = k + 1 to i do
    row.(j) <- row.(j) -. (x *. a.(j).(k))
  done

let decompose (for_ : Ways.for_) a =
  let last = Array.length a - 1 in
  for k = 0 to last do
    let pivot = sqrt a.(k).(k) in
    a.(k).(k) <- pivot;
    for i = k + 1 to last do
      a.(i).(k) <- a.(i).(k) /. pivot
    done;
    for_ ~start:(k + 1) ~finish:last ~body:(subtract a k)
  done;
  a

(* {1 The benchmark} *)

let weft_for ~start ~finish ~body = Weft.parallel_for ~start ~finish ~body ()

let benchmark =
  Same_result.benchmark ~sizes:(0, 10_000) ~sweep_sizes:[ 100; 300; 600; 1_200 ] ~quick:200 ~group:"data"
    ~name:"cholesky" ~doc:"the Cholesky decomposition of a matrix" ~size_doc:"the number of rows" ~size:1_200
    ~input:matrix
    ~digest:(Array.fold_left (fun digest row -> Same_result.add digest (Same_result.floats row)) 0)
    ((Plain.contestant, decompose Plain.for_), [ (Weft_pool.loop, decompose weft_for) ])
