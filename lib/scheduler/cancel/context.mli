(** The context of the running code: see {!Fiber}. *)

exception Cancelled of string
exception Timeout

(** {1 Here} *)

val current : unit -> Fiber.context
(** That of the calling fiber; {!Weft_scheduler.Fiber.none} elsewhere. *)

val within : Fiber.context -> (unit -> 'a) -> 'a
(** [within c f] is [f ()] in the context [c], which is of the calling fiber, or
    {!Weft_scheduler.Fiber.none}'s. *)

val within_stoppable : Fiber.context -> (unit -> 'a) -> 'a
(** The same, and then {!Weft_scheduler.Fiber.return_to}: needed where [c] may be stopped, or is a shield. *)

val shield : (unit -> 'a) -> 'a
(** See [Weft.Cancel.shield]. *)

(** {1 Owners of locks} *)

type owner = Weft_platform.Owner_id.t
(** Who holds a lock: a fiber, wherever it goes, or a thread that is no worker. Physically comparable. *)

val owner : unit -> owner
(** The caller's. A few nanoseconds. *)

val is_running : owner -> bool
(** Whether a fiber runs, or could: it does not wait. [true] of a thread. A hint. *)
