let bits = 5
let size = 32

(* A de Bruijn sequence: bits 27 to 31 of its product with a power of two tell which power it is. *)
let multiplier = 0x077CB531

let positions =
  String.init 32 (fun i ->
      let rec find p = if ((multiplier lsl p) lsr 27) land 31 = i then p else find (p + 1) in
      Char.chr (find 0))

let[@inline] position power = Char.code (String.unsafe_get positions (((power * multiplier) lsr 27) land 31))
let[@inline] lowest word = position (word land -word)

let highest word =
  let word = word lor (word lsr 1) in
  let word = word lor (word lsr 2) in
  let word = word lor (word lsr 4) in
  let word = word lor (word lsr 8) in
  let word = word lor (word lsr 16) in
  position (word - (word lsr 1))

let[@inline] above i word = word land (-2 lsl i)
let[@inline] below i word = word land ((1 lsl i) - 1)
let length n = if n = 0 then 0 else if n lsr 32 = 0 then highest n + 1 else highest (n lsr 32) + 33
