open Weft_platform
open Weft_scheduler

let why =
  "no handler inside the function handles it, and a call of a batched structure may be made by others; put \
   the handler inside"

let bindings c = Forward_effects.refusing ~why c
let[@inline never] behind_a_handler f x y = Refused_effects.within ~why (fun () -> f x y) ()
let[@inline] call f x y = if Refused_effects.handlers_around () then behind_a_handler f x y else f x y

(* Where OCaml itself refuses an effect, it gives no reason: outside of all pools and handlers, below C code,
   in [Weft.blocking]. *)
let explained exn = Refusal.explained ~why exn
