(** What identifies a track, and what it is called. *)

val compare : string * string -> string * string -> int
(** Of a process and a thread in it: by numbers, and names after all numbers. *)

val short : string -> string
(** Without the pool that most programs have. *)
