(* Heat in a square plate, whose upper edge is kept at 100 degrees and whose other edges are kept at 0. The rows are
   spread over the ranks, and each step exchanges those at the borders. mpirun -n 4 ./heat.exe, or ./heat.exe alone. *)

module D = Weft_mpi.Distributed_array

let size = 40
let steps = 200
let edge i = Array.make size (if i < 0 then 100. else 0.)

(* Row [i] one step later: each cell becomes the mean of its four neighbours (Jacobi's method). *)
let relax rows i =
  let above = rows.(i - 1) and row = rows.(i) and below = rows.(i + 1) in
  let beside j = if 0 <= j && j < size then row.(j) else 0. in
  Array.init size (fun j -> 0.25 *. (above.(j) +. below.(j) +. beside (j - 1) +. beside (j + 1)))

let step plate = D.stencil ~width:1 (Outside edge) relax plate
let rec repeat n f x = if n = 0 then x else repeat (n - 1) f (f x)
let change a b = Array.fold_left Float.max 0. (Array.map2 (fun x y -> Float.abs (x -. y)) a b)

let () =
  Weft_mpi.run (fun world ->
      let plate = repeat steps step (D.init world size (fun _ -> Array.make size 0.)) in
      let total = D.map_reduce (Array.fold_left ( +. ) 0.) ( +. ) 0. plate in
      let last_change = D.reduce Float.max 0. (D.map2 change plate (step plate)) in
      let middle_column = D.gather (D.map (fun row -> row.(size / 2)) plate) in
      let print column =
        Array.iteri (fun i t -> if i mod 10 = 5 then Printf.printf "row %2d: %7.3f\n" i t) column;
        Printf.printf "mean %.6f, last change %.6f\n" (total /. float (size * size)) last_change
      in
      (* [Some] on rank 0 alone. *)
      Option.iter print middle_column)
