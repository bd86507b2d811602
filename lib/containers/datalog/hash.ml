(* An odd number near 2^62 divided by the golden ratio. *)
let factor = 0x278DDE6E5FD29F05

let of_key a at n =
  let h = ref 0 in
  for i = at to at + n - 1 do
    let x = !h lxor Array.unsafe_get a i * factor in
    h := x lxor (x lsr 32)
  done;
  !h * factor

let first_bits = 4
let[@inline] slot h ~bits = h lsr (63 - bits)
