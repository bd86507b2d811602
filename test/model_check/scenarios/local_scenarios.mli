(** Bindings ({!Locals}) through forks, tasks and suspensions: everybody sees its maker's, and afterwards no
    worker has any. With the real deque. *)

val all : Scenario.t list
