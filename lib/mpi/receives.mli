(** Receives whose message has not come.

    {b Order.} The receive that waits longest gets the first message that it can take. {!look} probes for each
    receive in turn. A message may come after an earlier receive has been probed, so that a later one finds
    it; if the earlier one can take it, too, the earlier one gets it. A fiber does not try to match its
    receive directly while another receive waits here that could take the same message ({!is_behind_others}):
    so the order is that of the calls. *)

val is_behind_others : Pending.t -> bool
(** Whether a receive that has been submitted still waits for its message, and could take the same message: it
    has the same communicator, and the same tag or any. It may also be [true] for other reasons. *)

val is_submitted : Pending.t -> unit
(** Notes a receive that is going to be submitted to the communication thread. To be called before that. *)

val lacks_message : Pending.t -> bool
(** Whether it awaits a message that has not come. *)

val try_match : Pending.t -> bool
(** [true] if its message has come: then the receive is posted; and if MPI reports an error: then it is
    settled. On any thread that may call MPI. *)

(** {1 For the communication thread alone} *)

val add : Pending.t -> unit
(** Adds a receive behind the others. *)

val look : unit -> bool
(** Probes once for each; receives the messages that have come, and is whether there were some. O(waiting),
    and once more for each message that goes to an earlier receive. *)

val withdraw : Pending.t -> unit
(** Settles it with its [reason], unless its message has come. *)

val are_none : unit -> bool

val length : unit -> int
(** How many receives wait here. From any thread. *)
