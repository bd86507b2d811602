(** Code whose effects must not reach the handlers around it. *)

val within : why:string -> ('a -> 'b) -> 'a -> 'b
(** [within ~why f x] is [f x], on a stack of its own. An effect that no handler inside handles raises
    [Effect.Unhandled] there, with this reason ({!Refusal}). Fibers are suspended as ever. *)

val handlers_around : unit -> bool
(** Whether there are handlers of the program around: in a fiber those inside it, elsewhere any. A call of C,
    without allocation. *)
