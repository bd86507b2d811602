(** How this program was built; dune writes the implementation. *)

val version : string
(** Weft's version. *)

val profile : string
(** The dune profile, such as ["dev"] or ["release"]. *)

val flambda : bool
(** Whether the compiler was configured with flambda. *)

val architecture : string
(** The processor architecture it was built for, as the compiler names it. *)
