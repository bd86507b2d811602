(* The number with index [i] is the same on any number of domains, and so is the result. *)
let darts = 100_000

let inside random i =
  let x = Weft.Random.float_at random (2 * i) 1. and y = Weft.Random.float_at random ((2 * i) + 1) 1. in
  Bool.to_int ((x *. x) +. (y *. y) < 1.)

let () =
  let random = Weft.Random.make 7 in
  let hits () = Weft.parallel_for_reduce ~start:0 ~finish:(darts - 1) ~body:(inside random) ( + ) 0 in
  let n = hits () in
  Printf.printf "pi is about %.2f\n" (4. *. float n /. float darts);
  Printf.printf "the same on three domains: %b\n" (Weft.run ~domains:3 hits = n)
