(** Comparing several ways to compute the same: do they agree, and how long do they take? *)

type 'a way
(** One way to compute an ['a], with the times it has taken. *)

val timed : (unit -> 'a) -> 'a * float
(** [timed f] is [f ()] and the seconds it took. *)

val way : string -> (unit -> 'a * float) -> 'a way
(** [way name f] computes by [f], which is to give its result and the seconds it took ({!timed}). *)

val interleaved :
  rounds:int -> equal:('a -> 'a -> bool) -> expected:'a -> 'a way list -> (unit, string) result
(** [interleaved ~rounds ~equal ~expected ways] runs every one of [ways] once in each round, so that a drift
    of the machine hits all alike. It stops at the first result that is not equal to [expected], with [Error]
    and the name of that way. *)

val median : 'a way -> float
(** [median way] is the middle one of the times taken so far, in seconds (the shorter of the two in the
    middle, if their number is even).
    @raise Invalid_argument if [way] was never run. *)

val rounds_for : float -> int
(** [rounds_for seconds] is how many rounds are worth it when a run takes [seconds]: 7, but fewer when that
    takes a way more than about 2 seconds, and more, up to 1,001, when it takes less than 0.2. Always odd. *)
