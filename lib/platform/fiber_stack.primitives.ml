(* What [Effect.Deep.match_with] is made of, the same from OCaml 5.0 to 5.4. *)

open Effect.Deep

type _ Effect.t += Suspend : (('a, unit) continuation -> unit) option -> 'a Effect.t
type 'a others = { perform : 'c. 'a -> 'c Effect.t -> ('c, unit) continuation -> unit }
type ('a, 'b) stack [@@immediate]
type last_fiber [@@immediate]

external stack :
  ('a -> 'b) -> (exn -> 'b) -> ('c Effect.t -> ('c, 'b) continuation -> last_fiber -> 'b) -> ('a, 'b) stack
  = "caml_alloc_stack"

external run : ('a, 'b) stack -> ('c -> 'a) -> 'c -> 'b = "%runstack"

(* Not inlined: nothing may be allocated between the making of the stack, which no root refers to, and its use. *)
let[@inline never] start f x ~returned ~others =
  (* A function that ends by the call of another begins with a safepoint, unless it has one anyway: this one is where [k] is
     known. *)
  let suspended (type c) (e : c Effect.t) (k : (c, unit) continuation) (_ : last_fiber) =
    match Sys.opaque_identity (ref ()) with
    | (_ : unit ref) -> ( match e with Suspend (Some wait) -> wait k | _ -> others.perform x e k)
    | exception signal -> discontinue k signal
  in
  run (stack returned raise suspended) f x
