let width = 64
and height = 24

(* How many rounds until z -> z^2 + c leaves the circle of radius 2? Near the set many, elsewhere few. *)
let rounds cx cy =
  let rec go n x y =
    if n = 200 || (x *. x) +. (y *. y) > 4. then n
    else go (n + 1) ((x *. x) -. (y *. y) +. cx) ((2. *. x *. y) +. cy)
  in
  go 0 0. 0.

let () =
  let image = Array.make_matrix height width 0 in
  (* Each iteration writes a place of its own: so they may run in any order. Loops nest. *)
  Weft.parallel_for ~start:0 ~finish:(height - 1)
    ~body:(fun y ->
      Weft.parallel_for ~start:0 ~finish:(width - 1)
        ~body:(fun x -> image.(y).(x) <- rounds ((float x /. 24.) -. 2.) ((float y /. 10.) -. 1.2))
        ())
    ();
  let inside = Weft.Array.map_reduce (Weft.Array.count (( = ) 200)) ( + ) 0 image in
  Printf.printf "%d of %d points stay\n" inside (width * height)
