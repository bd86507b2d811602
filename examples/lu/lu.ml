(* lu: the triangular factors of a matrix, by elimination. Each step is a loop over the remaining rows,
   which become fewer and fewer: so each step needs another division. *)

open Console

let work size seed () =
  let a = Lu_factors.random_dominant ~seed size in
  let factors = Weft.Array.map Weft.Floatarray.copy a in
  Lu_factors.decompose factors;
  let error = Lu_factors.(distance a (product factors)) in
  (* The elements may be as large as the size: so the tolerance grows with it. *)
  if not (error <= 1e-12 *. float size) then
    failwith "the product of the factors is not the matrix; this is a bug";
  fun () -> Printf.printf "%s, multiplied back: off by %.1e at most\n" (Printable.counted size "row") error

open Cmdliner

let term =
  let size =
    Arg.(
      value & opt (Command_line.between 1 10_000) 500 & info [ "size" ] ~docv:"N" ~doc:"Take $(docv) rows.")
  and seed =
    Arg.(
      value
      & opt (Command_line.at_least 0) 1
      & info [ "seed" ] ~docv:"N" ~doc:"Another $(docv), another matrix.")
  in
  Term.(const work $ size $ seed)

let () =
  Main.run ~name:"lu" ~doc:"factors of a matrix"
    ~description:
      [
        "Draws a diagonally dominant matrix, finds a lower and an upper triangular matrix whose product it \
         is, multiplies them, and prints how far off the product is.";
      ]
    term
