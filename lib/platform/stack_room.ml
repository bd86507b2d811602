external has : int -> bool = "weft_has_stack_room"

let step = 400
let call = 1_200
let deep = 8_000
let[@inline] ensure words = if not (has words) then raise Stack_overflow
