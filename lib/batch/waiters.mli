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

val dismiss_whatever_comes : party -> unit
(** It is listed no more: its members have been told, or it has none. *)

(** {1 Telling them}

    In two steps, since the first allocates, and a signal's exception may come wherever something is
    allocated: once the message is there, and its sender has noted that it is to be sent, it is sent whatever
    happens. *)

type message

val message : t -> turn -> message
(** Has the caller go on, when it is sent. *)

val ending : t -> exn -> message
(** Ends the caller's wait with this exception. *)

val served : t array -> message option
(** Tells all of these [Served]: they go on from one end, and whoever steals takes half of what is left, at
    the price of a push per caller. [None] if they are not all fibers of the calling worker's pool. *)

val send : message -> bool
(** Whether the message has reached the caller; [false]: it has given up. From any thread. Does not touch the
    party. To be called again until it returns ({!Weft_platform.Interrupt.complete}): nobody is told twice. *)
