(** Mutexes and semaphores: no more are inside than there is room for; each that waits gets in or gives up,
    and no hand-over is lost. *)

val mutexes : Scenario.t list
val semaphores : Scenario.t list
