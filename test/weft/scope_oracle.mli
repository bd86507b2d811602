(** What programs of scopes, tasks, channels and requests to stop may come to, by the interfaces of [Scope],
    [Cancel] and [Chan] alone.

    A state of the whole program is a value. In each state some threads can take a step: up to the next place
    where others may notice, or may stop it. To follow all steps of all threads, from each state once, is to
    try all schedules.

    A thread that is cancelled must end at {!Scope_programs.Check}, at [Yield], and where it would have to
    wait; it may end wherever else a cancellation point may be. A failure cancels the left side of a fork at
    once, and what that side has started at some later time. *)

type ending = Not_run | Returned of int | Failed of int | Cancelled

type outcome = {
  endings : ending list;  (** of each thread *)
  failures : ending list list;  (** of each scope *)
}

type outcomes = { ends : outcome list; deadlock : bool  (** whether there may come a time when all wait *) }

exception Too_many
exception Waits_for_ever

val outcomes : limit:int -> Scope_programs.code -> outcomes
(** All there may be.
    @raise Too_many if there are more states than [limit]. *)

val one_outcome : choose:(int -> int) -> Scope_programs.code -> ending
(** How the program itself ends by one of its schedules: of [n] possible steps, the one with the number
    [choose n] is taken.
    @raise Waits_for_ever if it does. *)
