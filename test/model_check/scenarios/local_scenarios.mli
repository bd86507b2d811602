(** Bindings ({!Locals}) through forks, tasks and suspensions: each task sees those of its maker, and
    afterwards no worker has any. With the real deque. *)

val all : Scenario.t list
