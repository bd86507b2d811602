(** Tasks that may be cancelled one by one, by who has the promise.

    {v
    Begins --attach--> Runs context     the task has begun, in this context
      \-----cancel---> Cancelled exn    it has not: it ends as soon as it does
    v}

    Both moves are compare-and-sets, so either [cancel] stops the context, or [attach] sees the exception.

    Tasks of [Weft.async] cannot be cancelled one by one. An [await] may run the task in the calling fiber,
    shielded from that fiber's cancellation. A fiber that can be cancelled does not ({!Fiber.is_stoppable}),
    since it would not notice its own cancellation before the task ends. *)

type t

val create : unit -> t
(** For one task, which has not begun. *)

val attach : t -> Fiber.context -> unit
(** By the task, when it has begun, on a context of its own that can be stopped: it is stopped now, if it was
    cancelled before. *)

val run : t -> (unit -> 'a) -> 'a
(** [run t f] is [f ()], by the task, in such a context. *)

val canceller : t -> 'a Job.t -> ended:(unit -> unit) -> 'a Job.waiter
(** [canceller t j ~ended] is what [j], the job of the task, gets as a waiter before it may run. Its [cancel]
    settles [j] if it has not begun, and else stops it. *)

val is_cancelled_with : t -> exn -> bool
(** Whether the task was cancelled with this exception, compared physically. *)
