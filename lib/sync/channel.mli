(** Channels, for {!Chan} and {!Select_cases}.

    A channel is a ring of messages and two queues under one lock: the waiting senders, each with its message,
    and the waiting receivers. An operation that can be done at once is done at once; else its caller is
    queued.

    {b Nobody is overtaken.} A sender waits only while the ring is full (a rendezvous' always is) and no
    receiver waits; a receiver only while the ring is empty and no sender waits. An operation that makes room,
    or brings a message, serves the queues at once, under the same lock: a message taken from the ring is
    replaced by that of the first waiting sender, a new message goes to the first waiting receiver. So there
    is never anything left that a newcomer could take before those that wait.

    {b Nobody is lost.} A queue entry holds a function that tries to hand over: it wakes a
    {!Weft_scheduler.Waiter}, and is [false] if the owner has given up (cancelled, timed out, or served by
    another case of a select). Then the next entry is tried. A waiter that gives up takes its entry out of the
    queue; until then others step over it. So a message goes to a receiver that takes it, or stays where it
    is; and a sender hears that its message was taken exactly if it was.

    {b Signals.} Outside of all pools, a handler's exception may come when a wait has ended. A message handed
    to a receiver that therefore does not see it is put back in front ({!put_back}). *)

exception Closed
(** See [Weft.Chan.Closed]. *)

type 'a sender = {
  message : 'a option;  (** [Some _] *)
  tell : bool -> bool;
      (** told that the message was taken, or that the channel is closed; [false]: the sender has given up *)
}

type 'a receiver = 'a option -> bool
(** Gets a message, or [None]: closed. [false]: the receiver has given up. *)

type 'a t = {
  guard : Ordered_mutex.t;
  capacity : int;
  ring : 'a Ring.t;
  senders : 'a sender Wait_queue.t;
  receivers : 'a receiver Wait_queue.t;
  mutable closed : bool;
  mutable name : string;  (** for traces *)
}

val create : int -> 'a t
(** [create capacity], which is not negative. *)

(** {1 With the lock held} *)

val try_send : 'a t -> 'a option -> bool
(** [try_send c (Some v)] sends [v]; [false] if the caller would have to wait.
    @raise Closed if [c] is closed. *)

val try_recv : 'a t -> 'a option
(** [try_recv c] takes a message out; [None] if the caller would have to wait, or [c] is closed. *)

(** {1 Without the lock} *)

val send : ?timeout:float -> what:string -> 'a t -> 'a option -> unit
(** Waits if need be. *)

val recv : ?timeout:float -> what:string -> 'a t -> 'a option
(** Waits if need be. [None]: closed and drained. *)

val put_back : 'a t -> 'a option -> unit
(** [put_back c m] gives a message that was received, and that nobody has seen, to the first waiting receiver,
    or puts it back in front of the ring, be it full or not. *)

val close : 'a t -> unit
