(** The thread that completes requests.

    {b The communication thread} has a domain of its own, so that it needs no worker's runtime lock. It has a
    table of requests ({!Request_table}), a queue of receives whose message has not come ({!Receives}), and a
    queue of {e orders}: to watch a request or a receive, to withdraw a receive, to call a function. It calls
    [MPI_Testsome], and [MPI_Improbe] for each message, again and again; first without a pause, then with
    pauses that double, to a quarter of a millisecond; an order ends a pause. A message that has come it
    receives itself, since the fiber's workers may be busy. What has completed, it settles, and the fiber is
    resumed. With nothing pending it sleeps, and with SERIALIZED its domain ends after 0.1 s, since one more
    domain makes minor collections slower for all. Windows count as pending where MPI may need this rank to
    answer, mostly if ranks are on several machines.

    {b Nobody is lost.} An order is in the queue before its maker looks at the thread's state under the lock:
    it unparks a thread that is present, or starts one. The thread ends under the same lock, if it finds the
    queue empty there. *)

type level = Funneled | Serialized

type order =
  | Watch of Pending.t  (** to settle it once it has completed *)
  | Withdrawn of Pending.t
  | Call of (unit -> unit)  (** which raises nothing *)

val level : level ref
(** Set before the first order, once. *)

val submit : order -> unit
(** Starts the thread if there is none. Never waits.
    @raise Failure if it cannot be started. *)

val withdraw_soon : Pending.t -> unit
(** Submits [Withdrawn], from any thread, also where a lock is held: of a message that is, or was, watched
    for. *)

(** {1 Windows} *)

val open_window : unit -> unit
(** See {!Engine.open_window}. *)

val close_window : unit -> unit

(** {1 The end} *)

val stop : unit -> unit
(** The thread ends, whatever is pending. *)

(** {1 For tests} *)

val pending : unit -> int
(** How many requests the thread watches, and receives wait for their message; those in orders do not count.
*)
