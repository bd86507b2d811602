let () = ignore (Weft.par (fun () -> Weft.await (Weft.async (fun () -> 1))) (fun () -> 2))

(* Each of the three reads is a load of its own: the third may not be the first's. *)
let[@inline never] three_reads a b i =
  let x = Weft.Atomic_array.get a i in
  let y = Weft.Atomic_array.get b i in
  let z = Weft.Atomic_array.get a i in
  x + y + z

let () =
  let a = Weft.Atomic_array.make 1 0 in
  ignore (three_reads a a 0 : int)
