(** What forks, loops, tasks, channels and sorting are to reach. *)

val all : Target.t list
