(* Nearly always: and it does not need the stack pointer. *)
external may_grow : unit -> bool = "weft_stack_may_grow" [@@noalloc]
external has : int -> bool = "weft_has_stack_room"

let step = 400
let call = 1_200
let deep = 8_000
let[@inline] ensure words = if not (may_grow () || has words) then raise Stack_overflow
