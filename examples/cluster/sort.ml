(* Sorts keys of which each rank makes and keeps a part, so that all together may be more than one machine's memory has.
   mpirun -n 4 ./sort.exe 1000000, or ./sort.exe 1000000 alone. *)

module D = Weft_mpi.Distributed_array

let key i = i * 2_654_435_761 land 0xffff_ffff

let () =
  let n = if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else 50_000 in
  Weft_mpi.run (fun world ->
      let sorted = D.sort Int.compare (D.init world n key) in
      let is_in_order cells i = cells.(i - 1) <= cells.(i) in
      let ordered = D.reduce ( && ) true (D.stencil ~width:1 Nearest is_in_order sorted) in
      let sum = D.reduce ( + ) 0 sorted in
      if Weft_mpi.rank world = 0 then Printf.printf "%d keys, in order: %b, their sum: %d\n" n ordered sum)
