(* The same lengths twice: with a pair and boxed floats for every point, and with two flat arrays. The second leaves the
   collector next to nothing to do. *)
let n = 50_000
let x i = float (i mod 100)
let y i = float (i mod 37)

let with_pairs () =
  let points = Weft.Array.init n (fun i -> (x i, y i)) in
  Weft.Array.map_reduce (fun (x, y) -> Float.hypot x y) ( +. ) 0. points

let flat () =
  let xs = Weft.Floatarray.init n x and ys = Weft.Floatarray.init n y in
  let lengths = Float.Array.create n in
  Weft.parallel_for ~start:0 ~finish:(n - 1)
    ~body:(fun i -> Float.Array.set lengths i (Float.hypot (Float.Array.get xs i) (Float.Array.get ys i)))
    ();
  Weft.Seq.(float_sum (of_floatarray lengths))

let () = Printf.printf "the same sum: %b\n" (Float.abs (with_pairs () -. flat ()) < 1e-3)
