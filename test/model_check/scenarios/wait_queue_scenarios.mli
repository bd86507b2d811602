(** Other queues of waiters, each with a claim, a cancel and a wake-up that race: limits, conditions, locks
    for many readers. A wake-up that reaches a waiter without use for it goes to the next one. *)

val limits : Scenario.t list
val conditions : Scenario.t list
val rwlocks : Scenario.t list
