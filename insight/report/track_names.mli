(** Orders tracks, and names them. *)

val compare : string * string -> string * string -> int
(** Compares pairs of a process and a thread: by numbers, with names after all numbers. *)

val short : string -> string
(** The name without the pool, if that is the default pool. *)
