(** Values that fibers wait for: places for one value, full or empty, or filled once; latches, computations
    done once, barriers, gates of pipelines. *)

val mvars : Scenario.t list
val put_once : Scenario.t list
val barriers : Scenario.t list
val gates : Scenario.t list

val selects : Scenario.t list
(** Of these, of semaphores and of conditions. *)

val broadcasts : Scenario.t list
