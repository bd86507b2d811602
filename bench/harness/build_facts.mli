(** How the benchmarks were compiled. The build writes this module. *)

val version : string
(** The version of the package weft-tools. *)

val profile : string
(** Dune's profile. In ["dev"] nothing is inlined across modules, so times from it are no figures. *)

val flambda : bool
(** Whether the compiler optimises with flambda. *)

val architecture : string
(** The processor family compiled for, such as ["amd64"]. *)

val ocamlopt_flags : string
(** The flags of the suites beyond those of the profile. All methods, the sequential programs included, are
    compiled with the same. *)
