(** The callers that wait at a structure, and how they are resumed. *)

open Weft_scheduler

type identity = Weft_platform.Owner_id.t

(** What a waiting caller is told. *)
type turn =
  | Served  (** the operation has been applied *)
  | Entered  (** it is the owner now *)
  | Leads  (** it is the owner now, and serves the list, its own call first *)

type party = {
  home : Job.home;
  mutable entry : Suspended_fibers.entry;
  since : int;  (** when the first of them came, in ticks *)
}
(** Fibers of one pool that have joined the list one after the other, with nobody else between. They share one
    entry among the suspended fibers of the pool, so that closing the pool, or finding it deadlocked, can end
    their wait. *)

type t =
  | Fiber : (turn, unit) Effect.Deep.continuation * party -> t
  | Thread : turn Waiter.t * int -> t  (** the moment at which it came, in ticks *)
  | Submitted : 'a Job.t * (unit -> 'a Job.state) -> t
      (** an operation that was submitted: its promise, and a function that computes the outcome once it has
          been applied, which neither waits nor raises. With [submit_many], the last operation carries the
          promise of all *)
  | Not_last : t  (** an operation of [submit_many] other than the last: nobody is told *)

val party : Job.home -> what:string -> end_them:(party -> exn -> unit) -> party
(** A new party, not yet listed. [end_them p e] must end the waits of the members still in the list, with [e];
    it is called for all parties of the pool. *)

val list : party -> unit
(** From now on its waits can be ended. Call it before any member is in the list. *)

val dismiss : party -> unit
(** Takes it off again: its members have been told, or it has none. Twice is harmless. *)

val is_dismissed : party -> bool

(** {1 Telling them} *)

val tell : t -> turn -> bool
(** Resumes the caller; [false]: it has given up. Any thread may call it. Does not touch the party. *)

val end_wait : exn -> t -> unit
(** Ends the caller's wait with this exception. *)

type settled
(** Promises that are settled, with those who have still to be told. *)

val settle : t array -> settled list
(** Settles the promises of these. Those who wait for them are told later, by {!tell_settled}, when the
    structure has been passed on: they may call it. *)

val tell_served : t array -> unit
(** Tells callers [Served]. If all are fibers of the calling worker's pool, the worker resumes them from one
    end, and a thief takes half of those that are left, at the price of a push for each caller. *)

val tell_settled : settled list -> unit
(** Tells those who wait for the promises. An exception of one keeps none of the others waiting. *)
