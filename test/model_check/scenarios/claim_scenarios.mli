(** Fibers whose stacks are read: each is continued once, and not while it is read. *)

val all : Scenario.t list
