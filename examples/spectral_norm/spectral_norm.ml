(* spectral_norm: the norm of an infinite matrix, from its first rows and columns: the largest factor by
   which it lengthens a vector. It multiplies the matrix with a vector, by the power method. Sums within a
   row are OCaml's loops, so they always have the same bits. *)

open Console

(* 1, 1/2, 1/4; 1/3, 1/5, ...: numbered along the diagonals. *)
let element i j = 1. /. float (((i + j) * (i + j + 1) / 2) + i + 1)

let row_times f v =
  let sum = ref 0. in
  for j = 0 to Float.Array.length v - 1 do
    sum := !sum +. (f j *. Float.Array.get v j)
  done;
  !sum

let times v = Weft.Floatarray.init (Float.Array.length v) (fun i -> row_times (fun j -> element i j) v)

let transposed_times v =
  Weft.Floatarray.init (Float.Array.length v) (fun i -> row_times (fun j -> element j i) v)

let norm ~size ~steps =
  let rec step n u =
    let v = transposed_times (times u) in
    if n = 1 then sqrt (Weft.Floatarray.dot u v /. Weft.Floatarray.dot u u) else step (n - 1) v
  in
  step steps (Weft.Floatarray.make size 1.)

let work size steps () =
  let found = norm ~size ~steps in
  fun () -> Printf.printf "%0.9f\n" found

open Cmdliner

let term =
  let size =
    Arg.(
      value
      & opt (Command_line.between 1 100_000) 1000
      & info [ "size" ] ~docv:"N" ~doc:"Take $(docv) rows and columns.")
  and steps =
    Arg.(
      value
      & opt (Command_line.between 1 100) 10
      & info [ "steps" ] ~docv:"N" ~doc:"Multiply so many times: the more, the closer.")
  in
  Term.(const work $ size $ steps)

let () =
  Main.run ~name:"spectral_norm" ~doc:"how much a matrix lengthens vectors"
    ~description:
      [
        "The spectral norm of the matrix whose elements are 1, 1/2, 1/3, ..., counted along its diagonals.";
        "$(b,spectral_norm --size 100) prints 1.274219991.";
      ]
    term
