(** Channels: queues of messages between fibers, threads and domains.

    {[
      let squares = Weft.Chan.bounded 16 in
      let (), sum =
        Weft.par
          (fun () ->
            for i = 1 to 1000 do
              Weft.Chan.send squares (i * i)
            done;
            Weft.Chan.close squares)
          (fun () -> Seq.fold_left ( + ) 0 (Weft.Chan.to_seq squares))
      in
      ...
    ]}

    {b Order.} Messages come out in the order in which they went in. Those who wait, to send or to receive,
    are served in the order in which they came, and nobody overtakes them.

    {b Waiting.} A fiber that must wait is suspended; outside a pool, the calling thread is blocked, and it
    alone. A wait ends with [Cancel.Cancelled] when its fiber is cancelled, and with [Cancel.Timeout] when the
    time is up. In both cases, and after {!Closed}, nothing has been sent or received: no message is lost, nor
    received twice.

    {b Callers.} Any fiber, thread or domain; not signal handlers, which might interrupt the very operation
    they would wait for: these resolve promises ([Weft.Promise.resolve]). Outside of all pools, a handler's
    exception may arrive just after an operation has done its work.

    {b Cost.} Each function is O(1), amortised where a message makes the room for messages grow, unless it
    says otherwise; {!close} is O(those that wait), all of {!to_seq} O(messages). An operation that need not
    wait takes some tens of nanoseconds; one that waits, what suspending and resuming a fiber costs.

    {b Limits}: [doc/limits.md], section {e Waiting, locks and channels}. *)

type !'a t
(** A channel of messages of type ['a]. *)

exception Closed
(** Nothing can be sent any more, or nothing will come. *)

(** {1 Making and closing} *)

val bounded : int -> 'a t
(** [bounded n] is an open channel that holds up to [n] messages: senders wait while it is full. [bounded 0]
    is a {e rendezvous}: a sender waits until a receiver takes its message. Takes room for the messages that
    lie in it, whatever [n] is.
    @raise Invalid_argument if [n < 0]. *)

val unbounded : unit -> 'a t
(** [unbounded ()] is an open channel that holds any number of messages: senders never wait. *)

val named : string -> 'a t -> 'a t
(** [named name c] is [c], which traces and their reports call [name] from now on. O(1). *)

val close : 'a t -> unit
(** [close c] ends the sending: from now on {!send} raises {!Closed}, also in those that wait in it. What lies
    in [c] can still be received; once nothing is left, receivers get {!Closed}. A closed channel stays
    closed; to close it again does nothing. Never waits. *)

val is_closed : 'a t -> bool
(** [is_closed c] tells whether {!close} was called. There may be messages left to receive. *)

(** {1 Sending and receiving} *)

val send : ?timeout:float -> 'a t -> 'a -> unit
(** [send c v] puts [v] into [c], or hands it to a receiver that waits. Waits while [c] is full, but no longer
    than [timeout] seconds.
    @raise Closed if [c] is closed, or is closed meanwhile.
    @raise Weft.Cancel.Timeout if [v] was neither put into [c] nor handed to a receiver in time. *)

val recv : ?timeout:float -> 'a t -> 'a
(** [recv c] takes the oldest message out of [c]. Waits while there is none, but no longer than [timeout]
    seconds.
    @raise Closed if [c] is closed and nothing is left in it.
    @raise Weft.Cancel.Timeout if nothing came in time. *)

val recv_opt : 'a t -> 'a option
(** [recv_opt c] is [Some (recv c)], or [None] if [c] is closed and nothing is left in it. *)

val try_send : 'a t -> 'a -> bool
(** [try_send c v] sends [v] and returns [true] if that needs no waiting. It is [false] if [c] is full, or a
    rendezvous at which no receiver waits.
    @raise Closed if [c] is closed. *)

val try_recv : 'a t -> 'a option
(** [try_recv c] takes the oldest message out of [c]; it is [None] if there is none now, whether [c] is closed
    or not. From a rendezvous it takes the message of a sender that waits. *)

val send_poll : 'a t -> 'a -> bool
(** The same as {!try_send}, by its name in domainslib. *)

val recv_poll : 'a t -> 'a option
(** The same as {!try_recv}, by its name in domainslib. *)

val length : 'a t -> int
(** [length c] is the number of messages that lie in [c] at some moment of the call; those of senders that
    wait do not count. Takes no lock. *)

(** {1 Receiving all} *)

val iter : ('a -> unit) -> 'a t -> unit
(** [iter f c] calls [f] with each message it receives, until [c] is closed and nothing is left. Several such
    calls share the messages out among them. If [f] raises, [iter] does, and receives no more. O(messages). *)

val to_seq : 'a t -> 'a Stdlib.Seq.t
(** [to_seq c] is the messages of [c], each received when the sequence is forced so far; it ends when [c] is
    closed and nothing is left. Ephemeral: to be used once. *)

(**/**)

(** Not for users: what Weft's own libraries see. *)
module Private : sig
  external to_channel : 'a t -> 'a Channel.t = "%identity"
end
