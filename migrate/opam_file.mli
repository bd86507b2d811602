(** [opam] files. *)

val look : string -> Finding.t
(** The packages in [depends] and [depopts]. Bounds on the version are dropped, variables such as [with-test]
    stay. What cannot be read is left as it is. *)

val is_generated : string -> bool
(** Whether dune has written it, and will again. *)
