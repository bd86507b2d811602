(** The context of the running code: see {!Fiber}. *)

exception Cancelled of string
exception Timeout

(** {1 Here} *)

val current : unit -> Fiber.context
(** That of the calling fiber; {!Weft_scheduler.Fiber.none} elsewhere. *)

val within : Fiber.context -> (unit -> 'a) -> 'a
(** [within c f] is [f ()] with [c] as the context, which is of the calling fiber, or
    {!Weft_scheduler.Fiber.none}'s. *)

val within_stoppable : Fiber.context -> (unit -> 'a) -> 'a
(** The same, and then {!Weft_scheduler.Fiber.return_to}: needed where [c] may be stopped, or is a wall. *)

val shield : (unit -> 'a) -> 'a
(** See [Weft.Cancel.shield]. *)

(** {1 Noticing} *)

val check : unit -> unit
(** Raises, if the calling fiber is cancelled, what it is cancelled with. *)

val poll : may_suspend:bool -> unit
(** In a fiber whose worker's deque is called: sees what there is to see, and raises if the fiber is
    cancelled. Afterwards there is room for a push in the deque of the worker, perhaps another one, that it is
    on then. If the fiber is to give way and the operation may not suspend, the request stays: the next
    operation that may suspend gives way. *)

val pass : 'a option -> unit
(** [pass timeout] is what each operation begins with that may wait, whether it must or not: in a fiber whose
    worker's deque is called, it lets others run first, unless there is a [timeout] (of 0, perhaps, and then
    the caller does not want to wait at all). Raises nothing, if no signal handler does. About 1 ns. *)

val on_poll : (may_suspend:bool -> bool) ref
(** What else there may be to see: set by {!Suspend}. Whether the fiber was to give way, and could not. *)

(** {1 Owners of locks} *)

type owner = Weft_platform.Owner_id.t
(** Who holds a lock: a fiber, wherever it goes, or a thread that is no worker. Physically comparable. *)

val owner : unit -> owner
(** The caller's. A few nanoseconds. *)
