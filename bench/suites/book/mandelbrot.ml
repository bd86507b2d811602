(* $MDX part-begin=book *)
let most = 1_000

(* After how many steps z := z^2 + c leaves the circle of radius 2. *)
let steps re im =
  let x = ref 0. and y = ref 0. and n = ref 0 in
  while !n < most && (!x *. !x) +. (!y *. !y) <= 4. do
    let next = (!x *. !x) -. (!y *. !y) +. re in
    y := (2. *. !x *. !y) +. im;
    x := next;
    incr n
  done;
  !n

let mandelbrot points = Weft.Array.map (fun (re, im) -> steps re im) points
(* $MDX part-end *)

let sequential points =
  let result = Array.make (Array.length points) 0 in
  for i = 0 to Array.length points - 1 do
    let re, im = points.(i) in
    result.(i) <- steps re im
  done;
  result

let by_hand points =
  let n = Array.length points in
  let result = Array.make n 0 in
  let body i =
    let re, im = points.(i) in
    result.(i) <- steps re im
  in
  Weft.parallel_for ~chunk_size:64 ~start:0 ~finish:(n - 1) ~body ();
  result

let points side =
  let at i = 3. *. (float_of_int i +. 0.5) /. float_of_int side in
  Array.init (side * side) (fun i -> (at (i mod side) -. 2.25, at (i / side) -. 1.5))

let benchmark =
  Textbook.benchmark ~name:"mandelbrot" ~doc:"a map whose elements cost 10 ns to some microseconds"
    ~size_doc:"the number of rows and columns" ~sizes:(0, 10_000) ~sweep_sizes:[ 50; 150; 400 ] ~size:400
    ~quick:100 ~input:points ~digest:Same_result.ints
    { best_sequential = sequential; sequential; book = mandelbrot; by_hand }
