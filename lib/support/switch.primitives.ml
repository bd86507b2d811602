(* What [Effect.Deep.match_with] is made of, the same from OCaml 5.0 to 5.4. *)

open Effect.Deep

type _ Effect.t += Suspend : (('a, unit) continuation -> unit) option -> 'a Effect.t
type ('a, 'b) stack [@@immediate]
type last_fiber [@@immediate]

external stack :
  ('a -> 'b) -> (exn -> 'b) -> ('c Effect.t -> ('c, 'b) continuation -> last_fiber -> 'b) -> ('a, 'b) stack
  = "caml_alloc_stack"

external run : ('a, 'b) stack -> ('c -> 'a) -> 'c -> 'b = "%runstack"
external perform_outside : 'a Effect.t -> ('a, 'b) continuation -> last_fiber -> 'b = "%reperform"

(* A function that ends by the call of another begins with a safepoint, unless it has one anyway: this one is where [k] is known. *)
let suspended (type c) (e : c Effect.t) (k : (c, unit) continuation) last_fiber =
  match e with
  | Suspend (Some wait) -> (
      match Sys.opaque_identity (ref ()) with
      | (_ : unit ref) -> wait k
      | exception signal -> discontinue k signal)
  | _ -> perform_outside e k last_fiber

(* Not inlined: nothing may be allocated between the making of the stack, which no root refers to, and its use. *)
let[@inline never] start f x ~returned = run (stack returned raise suspended) f x
