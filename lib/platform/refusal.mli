(** [Effect.Unhandled] with the reason why nobody has handled the effect.

    The exception has to be that of the standard library, with the very effect, for that is what programs
    match. So the reason lies behind the effect, in the exception's block, where no pattern looks. *)

val unhandled : 'a Effect.t -> why:string -> exn
(** [Effect.Unhandled], which [Printexc.to_string] prints together with [why]. *)

val why : exn -> string option
(** The reason, if it was made by {!unhandled}. *)
