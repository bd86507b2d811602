(** The thread that completes requests.

    {b The communication thread} has a domain of its own, so that it needs no worker's runtime lock. It has a
    table of requests that are pending, a queue of messages that fibers wait for, and a queue of {e orders}:
    to watch a request, to withdraw one, to call a function. It calls [MPI_Testsome], and [MPI_Improbe] for
    each message, again and again; first without a pause, then with pauses that double, to a quarter of a
    millisecond; an order ends a pause. What has completed, it settles, and the fiber is resumed. With nothing
    pending it sleeps, and with SERIALIZED its domain ends after 0.1 s, since one more domain makes minor
    collections slower for all. Windows that are open to other machines count as pending: MPI may need this
    rank to answer.

    {b Nobody is lost.} An order is in the queue before its maker looks at the thread's state under the lock:
    it unparks a thread that is present, or starts one. The thread ends under the same lock, if it finds the
    queue empty there. *)

type level = Funneled | Serialized
type keep = Keep : 'a -> keep

type wish =
  | Request  (** a request of MPI's has completed *)
  | Message of { source : int; tag : int; comm : Raw.comm }  (** a message has come, and is matched *)

type on_cancel =
  | Go_on  (** the fiber raises at once, and the request goes on by itself *)
  | Withdraw  (** the fiber raises unless the message is matched *)
  | Wait  (** the fiber waits all the same: it will not be long *)

type pending = {
  what : string;  (** the function of MPI *)
  keep : keep;  (** what the request reads and writes *)
  wish : wish;
  on_cancel : on_cancel;
  mutable request : Raw.request;
  mutable message : Raw.message;  (** once one has been matched *)
  status : int array;  (** as in {!Raw.status_words}, once it has completed *)
  outcome : unit Weft_scheduler.Job.t;
  mutable reason : exn option;  (** why a message is no longer wanted; written before its order *)
}

type order =
  | Watch of pending  (** to settle it once it has completed *)
  | Withdrawn of pending
  | Call of (unit -> unit)  (** which raises nothing *)

val level : level ref
(** Set before the first order, once. *)

val submit : order -> unit
(** Starts the thread if there is none. Never waits.
    @raise Failure if it cannot be started. *)

val withdraw_soon : pending -> unit
(** Submits [Withdrawn], from any thread, also where a lock is held: of a message that is, or was, watched
    for. *)

val matches : pending -> bool
(** Whether its message has come, or MPI reports an error: then its status is written. *)

val watch : pending -> unit
(** By a function in [Call]. *)

(** {1 Settling, on any thread} *)

val settle : pending -> unit Weft_scheduler.Job.state -> unit
(** Unless it is settled already. *)

val raised : exn -> 'a Weft_scheduler.Job.state

val completed : pending -> unit
(** Settles it as its status says. *)

(** {1 Windows} *)

val open_window : unit -> unit
(** See {!Engine.open_window}. *)

val close_window : unit -> unit

(** {1 The end} *)

val stop : unit -> unit
(** The thread ends, whatever is pending. *)

(** {1 For tests} *)

val pending : unit -> int
(** How many requests and messages the thread waits for; those in orders do not count. *)
