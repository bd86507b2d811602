(** The targets of forks, loops, tasks, channels and sorting. *)

val all : Target.t list
