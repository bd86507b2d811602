open Weft_platform
open Weft_scheduler

(* Who makes a call may be chance, so no effect leaves the structure. The bindings tell so what lies below
   the fibers; the handlers of the program that lie around the owner need one in front of them. *)
let why = "no handler inside the function handles it, and a call of a batched structure may be made by others"
let only_refusing = Forward_effects.refusing ~why Bindings.empty

let bindings bindings =
  if Bindings.is_empty bindings then only_refusing else Forward_effects.refusing ~why bindings

let[@inline never] behind_a_handler f x y = Refused_effects.within ~why (fun () -> f x y) ()
let[@inline] call f x y = if Refused_effects.handlers_around () then behind_a_handler f x y else f x y

(* Outside of all pools and handlers OCaml itself refuses the effect, without a reason. *)
let explained here exn =
  match exn with
  | Effect.Unhandled e when here == Spawn_context.nobody && Option.is_none (Refusal.why exn) ->
      Refusal.unhandled e ~why
  | exn -> exn
