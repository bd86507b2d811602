(** Who waits at a structure, and how they go on. *)

open Weft_scheduler

type identity = Weft_platform.Owner_id.t

(** What one who has lined up is told. *)
type turn =
  | Served  (** the operation has been applied *)
  | Entered  (** it is the owner now *)
  | Leads  (** likewise, and the line is there for it to serve, its own call first *)

type party = {
  home : Job.home;
  mutable entry : Suspended_fibers.entry;
  since : int;  (** when the first of them came, in ticks *)
}
(** The fibers of one pool that have lined up one after the other, with nobody else between. They share one
    entry among those that wait in the pool, so that closing the pool, or finding it deadlocked, can end their
    wait. *)

type t = Fiber of (turn, unit) Effect.Deep.continuation * party | Thread of turn Waiter.t * int

(** A thread has the moment at which it came with it, in ticks. *)

val party : Job.home -> what:string -> end_them:(party -> exn -> unit) -> party
(** A new party, not yet listed. [end_them p e] is to end the waits of those that are still in line with [e].
*)

val list : party -> unit
(** It can be ended from now on. Before anybody of it is in line. *)

val dismiss : party -> unit
(** It is listed no more: its members have been told, or it has none. *)

(** {1 Telling them} *)

val tell : t -> turn -> bool
(** Has the caller go on; [false]: it has given up. From any thread. Does not touch the party. *)

val end_wait : exn -> t -> unit
(** Ends the caller's wait with this exception. *)

val tell_served : t array -> unit
(** Tells all of these [Served]. Fibers of the calling worker's pool go on from one end, and whoever steals
    takes half of what is left, at the price of a push per caller. *)
