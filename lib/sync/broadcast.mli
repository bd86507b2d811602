(** Broadcast channels: each subscriber gets every message, and a slow one learns how many it has missed.

    {[
      let prices = Weft.Broadcast.create 100

      let rec watch prices =
        match Weft.Broadcast.recv prices with
        | price ->
            show price;
            watch prices
        | exception Weft.Broadcast.Lagged n ->
            Printf.printf "(%d left out)\n" n;
            watch prices
        | exception Weft.Broadcast.Closed -> ()

      let start scope =
        let subscription = Weft.Broadcast.subscribe prices in
        Weft.Scope.start scope (fun () -> watch subscription)
    ]}

    A channel keeps its last [n] messages. Who sends never waits: the oldest message gives way to the new one,
    read or not. So a subscriber that stops reading holds up nobody, and no memory but the [n] messages, which
    stay until newer ones take their place. As [tokio::sync::broadcast].

    {b Order.} All subscribers get the messages in the order in which they were sent.

    {b Waiting} is as in {!Weft.Chan}: a fiber is suspended, outside a pool the thread is blocked. A wait ends
    with [Cancel.Cancelled] when its fiber is cancelled, and with [Cancel.Timeout] when the time is up; then
    nothing was received, and nothing is missed.

    {b Callers.} Any fiber, thread or domain, not signal handlers. Several fibers may read from one
    subscription: they share its messages out among them.

    {b Cost.} Each function is O(1), but {!create} is O([n]), and {!send} and {!close} are O(those that wait).
    All take the channel's lock for some tens of nanoseconds. *)

type 'a t
(** A channel. *)

type 'a subscription
(** How far one subscriber has read. *)

exception Closed
(** The channel is closed: nothing can be sent any more, or nothing more will come. *)

exception Lagged of int
(** So many messages were dropped before the subscriber came to read them. *)

val create : int -> 'a t
(** [create n] is an open channel that keeps [n] messages.
    @raise Invalid_argument if [n < 1], or if there can be no array so long. *)

val send : 'a t -> 'a -> unit
(** [send c v] sends [v] to all that have subscribed to [c], and drops the oldest message, if [c] has [n].
    Resumes all that wait. Never waits.
    @raise Closed if [c] is closed. *)

val close : 'a t -> unit
(** [close c] ends the sending. What [c] holds can still be read; then {!recv} raises {!Closed}, also in those
    that wait. To close it again does nothing. Never waits. *)

val is_closed : 'a t -> bool
(** Whether {!close} was called. *)

val subscribe : 'a t -> 'a subscription
(** [subscribe c] is a subscription that begins with the next message sent. There is nothing to undo: to end a
    subscription, forget it. *)

val recv : ?timeout:float -> 'a subscription -> 'a
(** [recv s] is the oldest message that [s] has not read. Waits while there is none, but no longer than
    [timeout] seconds.
    @raise Lagged if messages that [s] has not read were dropped. [s] then goes on with the oldest left.
    @raise Closed if the channel is closed, and [s] has read all.
    @raise Weft.Cancel.Timeout if nothing came in time. *)

val try_recv : 'a subscription -> 'a option
(** [try_recv s] is [Some (recv s)], or [None] where [recv s] would wait or raise {!Closed}. To tell these two
    cases apart, call {!is_closed} {e before} [try_recv]: if it was [true] and [try_recv] is [None], nothing
    more will come.
    @raise Lagged as {!recv} does. *)

val recv_poll : 'a subscription -> 'a option
(** The same as {!try_recv}. *)

val unread : 'a subscription -> int
(** [unread s] is the number of messages that were sent and that [s] has not read, dropped ones too, at some
    moment of the call. *)
