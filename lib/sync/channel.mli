(** Channels, as {!Chan} and {!Choice} use them.

    A channel is, under one lock, a ring of messages and two lines: of those who wait to send, each with its
    message, and of those who wait to receive. Whoever comes does at once what can be done at once; else takes
    a place at the end of a line.

    {b Nobody is overtaken.} A sender waits only while the ring is full (a rendezvous' always is) and no
    receiver waits; a receiver only while the ring is empty and no sender waits. Whoever makes room, or brings
    a message, serves the lines at once, under the same lock: a taken message is replaced in the ring by that
    of the first sender in line, a new message goes to the first receiver in line. So there is never anything
    left that a newcomer could take before those in line.

    {b Nobody is lost.} A place holds a function that tries to hand over: it wakes a {!Weft_scheduler.Waiter},
    and is [false] if its owner has given up (cancelled, timed out, or served by another case of a select).
    Then the next in line is tried. Whoever gives up takes its place out of the line; until then others step
    over it. So a message goes to one who takes it, or stays where it is; and a sender hears that its message
    was taken exactly if it was.

    {b Signals.} Outside of all pools, a handler's exception may come when a wait has ended. What was handed
    to a receiver who does not get to see it for that reason is put back in front ({!put_back}). *)

exception Closed
(** See [Weft.Chan.Closed]. *)

type 'a sender = {
  message : 'a option;  (** [Some _] *)
  tell : bool -> bool;  (** that the message was taken, or that the channel is closed; [false]: has given up *)
}

type 'a receiver = 'a option -> bool
(** Gives a message, or [None]: closed. [false]: has given up. *)

type 'a t = {
  guard : Ordered_mutex.t;
  capacity : int;
  ring : 'a Ring.t;
  senders : 'a sender Wait_queue.t;
  receivers : 'a receiver Wait_queue.t;
  mutable closed : bool;
}

val create : int -> 'a t
(** [create capacity], which is not negative. *)

(** {1 With the guard held} *)

val try_send : 'a t -> 'a option -> bool
(** [try_send c (Some v)] sends [v], or is [false] if one would have to wait.
    @raise Closed if [c] is closed. *)

val try_recv : 'a t -> 'a option
(** [try_recv c] takes a message out, or is [None] if one would have to wait or [c] is closed. *)

(** {1 Without} *)

val send : ?timeout:float -> what:string -> 'a t -> 'a option -> unit
(** Waits if need be. *)

val recv : ?timeout:float -> what:string -> 'a t -> 'a option
(** Waits if need be. [None]: closed and drained. *)

val put_back : 'a t -> 'a option -> unit
(** [put_back c m] gives a message that was received, and not seen by anybody, to the first receiver in line,
    or back into the ring: in front, be it full or not. *)

val close : 'a t -> unit
