(** Mutexes and semaphores: no more inside than there is room for; whoever waits comes in or gives up, and no
    hand-over is lost. *)

val mutexes : Scenario.t list
val semaphores : Scenario.t list
