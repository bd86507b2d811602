(** Receives whose message has not come.

    {b Order.} The first to wait gets the first message that it wants. A look probes for each receive in turn.
    If a later one finds a message which came after an earlier one had looked that wants it as well, the
    earlier one gets it. A fiber whose receive might match directly does not try while one waits here
    ({!waiting}): so the order is that of the calls. *)

val waiting : int Atomic.t
(** How many wait here, or have been submitted to the communication thread. Whoever submits one adds it,
    before. *)

val lacks_message : Pending.t -> bool
(** It awaits a message, which has not come. *)

val try_match : Pending.t -> bool
(** On any thread that may call MPI: whether its message has come, and then the receive is posted; or MPI
    reports an error, and then it is settled. *)

(** {1 For the communication thread alone} *)

val add : Pending.t -> unit
(** Behind the others. *)

val look : unit -> bool
(** Probes once for each; receives the messages that have come, and is whether there were some. O(waiting),
    and once more for each message that goes to an earlier receive. *)

val withdraw : Pending.t -> unit
(** Settles it with its [reason], unless its message has come. *)

val are_none : unit -> bool

val length : unit -> int
(** How many have been added, and not left. From any thread. *)
