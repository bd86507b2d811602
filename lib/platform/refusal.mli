(** [Effect.Unhandled] with the reason why nobody has handled the effect.

    The exception must be that of the standard library, with the very effect, since programs match on it. So
    the reason lies behind the effect, in the exception's block, where no pattern looks. *)

val unhandled : 'a Effect.t -> why:string -> exn
(** [Effect.Unhandled], which [Printexc.to_string] prints together with [why]. *)

val why : exn -> string option
(** The reason, if it was made by {!unhandled}. *)

val explained : why:string -> exn -> exn
(** The exception itself; but with this reason, if it is a refusal of OCaml's own, which has none. *)
