let () = ignore (Weft.par (fun () -> Weft.await (Weft.async (fun () -> 1))) (fun () -> 2))

(* Each of the three reads is a load of its own: the third may not be the first's. *)
let[@inline never] three_reads a b i =
  let x = Weft.Atomic_array.get a i in
  let y = Weft.Atomic_array.get b i in
  let z = Weft.Atomic_array.get a i in
  x + y + z

(* What the read makes visible is loaded behind it: [after] may not be [before]. *)
let[@inline never] read_between r a =
  let before = !r in
  let seen = Weft.Atomic_array.get a 0 in
  let after = !r in
  before + (seen * after)

let () =
  let a = Weft.Atomic_array.make 1 0 in
  ignore (read_between (ref 1) a : int);
  ignore (three_reads a a 0 : int)
