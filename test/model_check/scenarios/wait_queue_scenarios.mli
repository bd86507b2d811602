(** Other lines of those who wait, each with a claim, a cancel and a wake-up that race: limits, conditions,
    locks for many readers. A wake-up that meets somebody who has no use for it goes to the next. *)

val limits : Scenario.t list
val conditions : Scenario.t list
val rwlocks : Scenario.t list
