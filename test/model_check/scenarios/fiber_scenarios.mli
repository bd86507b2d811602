(** Fibers that are stopped ({!Fiber}) notice it, whatever they do meanwhile; and their waits ({!Waiter}).
    With the real deque. *)

val all : Scenario.t list
