(** Receives whose message has not come.

    {b Order.} The first to wait gets the first message that it wants. A look probes for each receive in turn.
    If a later one finds a message which came after an earlier one had looked that wants it as well, the
    earlier one gets it. A fiber whose receive might match directly does not try while one waits here that
    might want the same ({!is_behind_others}): so the order is that of the calls. *)

val is_behind_others : Pending.t -> bool
(** Whether a receive has been submitted, and has not got its message, that might want the same message: of
    the same communicator, and with the same tag or any. At times also for another one. *)

val is_submitted : Pending.t -> unit
(** By whoever submits a receive to the communication thread, before. *)

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
