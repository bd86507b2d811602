(* The area of a quarter of a circle by random points: each iteration has a generator of its own, so the result does
   not depend on which rank, or which domain, computes it. mpirun -n 4 ./pi.exe, or ./pi.exe alone. *)

let samples = 1000

let hits i =
  let state = Random.State.make [| i |] in
  let in_circle () =
    let x = Random.State.float state 1. and y = Random.State.float state 1. in
    (x *. x) +. (y *. y) < 1.
  in
  let count = ref 0 in
  for _ = 1 to samples do
    if in_circle () then incr count
  done;
  !count

let () =
  Weft_mpi.run (fun world ->
      let n = 1000 in
      let all = Weft_mpi.parallel_for_reduce world ~start:1 ~finish:n ~body:hits ( + ) 0 in
      let area = 4. *. float all /. float (n * samples) in
      if Weft_mpi.rank world = 0 then Printf.printf "%.5f\n" area)
