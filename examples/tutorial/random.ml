(* Random trees. Each side of a fork has a generator of its own, so the shape does not depend on who runs what. *)
let rec leaves random depth =
  if depth = 0 || Weft.Random.int random 10 = 0 then 1
  else
    let other = Weft.Random.split random in
    let a, b = Weft.par (fun () -> leaves random (depth - 1)) (fun () -> leaves other (depth - 1)) in
    a + b

let () =
  let count domains = Weft.run ~domains (fun () -> leaves (Weft.Random.make 3) 12) in
  Printf.printf "the same on 1 and 3 domains: %b\n" (count 1 = count 3)
