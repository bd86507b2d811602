(** The possible outcomes of programs of scopes, tasks, channels and requests to stop, derived from the
    interfaces of [Scope], [Cancel] and [Chan] alone.

    A state of the whole program is a value. In each state some threads can take a step, up to the next place
    that other threads may notice, or at which they may stop it. The oracle follows all steps of all threads
    from each state once: so it tries all schedules.

    A cancelled thread must end at {!Scope_programs.Check}, at [Yield], and where it would have to wait; it
    may end at any other possible cancellation point. A failure cancels the left side of a fork at once, and
    what that side has started at some later time. *)

type ending = Not_run | Returned of int | Failed of int | Cancelled

type outcome = {
  endings : ending list;  (** of each thread *)
  failures : ending list list;  (** of each scope *)
}

type outcomes = { ends : outcome list; deadlock : bool  (** whether the program may deadlock *) }

exception Too_many
exception Waits_for_ever

val outcomes : limit:int -> Scope_programs.code -> outcomes
(** All possible outcomes.
    @raise Too_many if there are more states than [limit]. *)

val one_outcome : choose:(int -> int) -> Scope_programs.code -> ending
(** The outcome of one schedule: of [n] possible steps, it takes the one with the number [choose n].
    @raise Waits_for_ever if the program deadlocks. *)
