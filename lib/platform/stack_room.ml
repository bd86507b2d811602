(* Nearly always: and it does not need the stack pointer. *)
external may_grow : unit -> bool = "weft_stack_may_grow" [@@noalloc]
external has : int -> bool = "weft_has_stack_room"

let step = 400
let call = 1_200
let deep = 8_000

(* A thread that is no worker parks and handles signals by itself, on its own stack. *)
let[@inline never] has_all words =
  has (if Deque_memory.current () == Deque_memory.nowhere () then max words deep else words)

let[@inline] ensure words = if not (may_grow () || has_all words) then raise Stack_overflow
