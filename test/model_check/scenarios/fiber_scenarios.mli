(** Fibers that are stopped ({!Fiber}): whatever they do meanwhile, they notice; and what they wait with
    ({!Waiter}). With the real deque. *)

val all : Scenario.t list
