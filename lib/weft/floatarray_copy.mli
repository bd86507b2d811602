(** The copying functions of [Weft.Floatarray], documented there. Several domains copy long ranges, in blocks;
    OCaml's own functions copy short ones. *)

val blit : floatarray -> int -> floatarray -> int -> int -> unit
val fill : floatarray -> int -> int -> float -> unit
val sub : floatarray -> int -> int -> floatarray
val copy : floatarray -> floatarray
val append : floatarray -> floatarray -> floatarray
val concat : floatarray list -> floatarray

val fill_range : string -> floatarray -> int -> int -> float -> unit
(** [fill_range who a pos len x] is {!fill}, of a range that is known to exist. *)
