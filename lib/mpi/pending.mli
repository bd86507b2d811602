(** What a fiber waits for: a request of MPI's, or a message and the request that receives it. *)

type status = int array
(** As in {!Raw.status_words}. *)

type keep_alive = Keep_alive : 'a -> keep_alive

type awaits =
  | Request  (** that a request of MPI's has completed *)
  | Message of {
      source : int;
      tag : int;
      comm : Raw.comm;
      receive : Raw.message -> int -> Raw.request * keep_alive;
    }
      (** that a message has come, and then its receive: [receive m bytes] posts it, on any thread that may
          call MPI *)

type on_cancel =
  | Go_on  (** the fiber raises at once, and the request goes on by itself *)
  | Withdraw  (** the fiber raises unless the message is matched *)
  | Wait  (** the fiber waits all the same: it will not be long *)

type t = {
  what : string;  (** the function of MPI *)
  mutable keep_alive : keep_alive;  (** what the request reads and writes *)
  awaits : awaits;
  on_cancel : on_cancel;
  mutable request : Raw.request;  (** {!Raw.no_request} until the message has come *)
  mutable matched : status;  (** the status of the message that has come *)
  status : status;  (** as in {!Raw.status_words}, once it has completed *)
  outcome : unit Weft_scheduler.Job.t;
  mutable reason : exn option;  (** why the receive is given up; written before its order *)
}

val nothing : t

(** {1 Settling, on any thread} *)

val settle : t -> unit Weft_scheduler.Job.state -> unit
(** Unless it is settled already. *)

val raised : exn -> 'a Weft_scheduler.Job.state

val settle_by_status : t -> unit
(** Its request has completed, and its status has been written. *)

val settle_failed : t -> int -> unit
(** MPI reports this error code. What its request reads and writes is kept alive for ever: MPI may still use
    it. *)

val try_request : t -> int -> bool
(** Whether its request completes in so many tests: then it is settled. *)
