let levels = 16
let gamma = 0x1e3779b97f4a7c15

(* The finaliser of splitmix64, with the constants cut to OCaml's integers. *)
let[@inline] mix z =
  let z = z lxor (z lsr 30) * 0x3f58476d1ce4e5b9 in
  let z = z lxor (z lsr 27) * 0x14d049bb133111eb in
  z lxor (z lsr 31)

let rec count bits height =
  if bits land 3 = 0 && height < levels then count (bits lsr 2) (height + 1) else height

let[@inline] height state i = count (mix (state + (i * gamma))) 1
let[@inline] advance state n = state + (n * gamma)
let start seed = mix (seed + gamma)
