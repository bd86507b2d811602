(* Ten million random numbers, and their sum: the same bits for every number of domains. *)
let () =
  let n = 10_000_000 and random = Weft.Random.make 42 in
  let a = Float.Array.create n in
  Weft.parallel_for ~start:0 ~finish:(n - 1)
    ~body:(fun i -> Float.Array.set a i (Weft.Random.float_at random i 1.))
    ();
  Printf.printf "%h\n" (Weft.Seq.float_sum (Weft.Seq.of_floatarray a))
