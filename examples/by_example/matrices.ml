(* Bigarrays of one, two and three dimensions: the functions are the same, the indices are more. *)

open Weft.Bigarray

let () =
  let a = Array1.init Int C_layout 5 (fun i -> i * i) in
  Array1.map_inplace succ a;
  let b = Array1.map (fun x -> 2 * x) a in
  Printf.printf "%d %d\n" (Array1.reduce ( + ) 0 a) (Array1.fold ~combine:max max 0 b);
  Array1.fill b 7;
  Array1.blit a b;
  let sum = Atomic.make 0 in
  Array1.iter (fun x -> ignore (Atomic.fetch_and_add sum x : int)) b;
  Array1.iteri (fun i x -> ignore (Atomic.fetch_and_add sum (i * x) : int)) b;
  Printf.printf "%d\n" (Atomic.get sum);
  let x = Array1.init Float32 C_layout 5 float in
  Printf.printf "%g %g %g %g\n" (Array1.sum x) (Array1.dot x x) (Array1.min x) (Array1.max x)

let () =
  let identity = Array2.init Float64 C_layout 3 3 (fun i j -> if i = j then 1. else 0.) in
  Array2.map_inplace (fun x -> x +. 1.) identity;
  let twice = Array2.map (fun x -> 2. *. x) identity in
  Printf.printf "%g %g\n" (Array2.reduce ( +. ) 0. identity) (Array2.fold ~combine:( +. ) ( +. ) 0. twice);
  Array2.fill twice 0.;
  Array2.blit identity twice;
  let ones = Atomic.make 0 in
  Array2.iter (fun x -> if x = 1. then Atomic.incr ones) twice;
  Array2.iteri (fun i j x -> if i = j && x = 2. then Atomic.incr ones) twice;
  Printf.printf "%d\n" (Atomic.get ones)

let () =
  let a = Array3.init Int C_layout 2 3 4 (fun i j k -> (100 * i) + (10 * j) + k) in
  Array3.map_inplace succ a;
  let b = Array3.map (fun x -> -x) a in
  Printf.printf "%d %d\n" (Array3.reduce max 0 a) (Array3.fold ~combine:( + ) ( + ) 0 b);
  Array3.fill b 0;
  Array3.blit a b;
  let n = Atomic.make 0 in
  Array3.iter (fun x -> if x > 100 then Atomic.incr n) b;
  Array3.iteri (fun i _ _ x -> if i = 0 && x < 10 then Atomic.incr n) b;
  Printf.printf "%d\n" (Atomic.get n)
