(** Compares several ways to compute the same result: whether they agree, and how long they take. *)

type 'a way
(** One way to compute an ['a], with the times that it has taken. *)

val timed : (unit -> 'a) -> 'a * float
(** [timed f] is [f ()] and the seconds that it took. *)

val way : string -> (unit -> 'a * float) -> 'a way
(** [way name f] computes by [f], which must return its result and the seconds that it took ({!timed}). *)

val interleaved :
  rounds:int -> equal:('a -> 'a -> bool) -> expected:'a -> 'a way list -> (unit, string) result
(** [interleaved ~rounds ~equal ~expected ways] runs each of [ways] once in each round, so that changes of the
    machine's speed affect all alike. It stops at the first result that is not equal to [expected], with
    [Error] and the name of that way. *)

val median : 'a way -> float
(** [median way] is the middle one of the times so far, in seconds (the shorter of the two middle ones, if
    their number is even).
    @raise Invalid_argument if [way] was never run. *)

val rounds_for : float -> int
(** [rounds_for seconds] is a sensible number of rounds when a run takes [seconds]: 7, but fewer if a way
    would take more than about 2 seconds for that, and more, up to 1,001, if it would take less than 0.2.
    Always odd. *)
