let most_bits = 62

let[@inline never] bits_outside where bits =
  invalid_arg (Printf.sprintf "%s: bits %d is not in 1..%d" where bits most_bits)

let check_bits where bits = if bits < 1 || bits > most_bits then bits_outside where bits

let[@inline never] outside where bits key =
  invalid_arg (Printf.sprintf "%s: key %d is not in 0..%d" where key ((1 lsl bits) - 1))

(* Negative keys have their topmost bits set, so the shift leaves some of these, too. *)
let[@inline] check where bits key = if key lsr bits <> 0 then outside where bits key
