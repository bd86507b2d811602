(** The targets for work that comes in small pieces: short loops, small trees, tasks of some microseconds,
    steals, and locks. *)

val all : Target.t list
