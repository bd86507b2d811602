(** Where a fiber looks up from its work: at signals, due timers, work from outside, and its own cancellation.

    Whoever wants a fiber to look up requests it of its worker's deque ({!Deque.request_preempt}): the next
    fork, loop block or operation of that worker then polls. *)

val poll : may_suspend:bool -> unit
(** In a fiber whose worker's deque has such a request: runs the handlers of signals, the timers that are due,
    hands work to idle workers, lets others run first if that is due, and raises if the fiber is cancelled.
    Afterwards there is room for a push in the deque of the worker, perhaps another one, that it is on then.
    If the fiber is to give way and the operation may not suspend, the request stays: the next operation that
    may suspend gives way. *)

val check : unit -> unit
(** Polls, if that is requested, and raises, if the calling fiber is cancelled, what it is cancelled with. *)

val pass : float option -> unit
(** [pass timeout] is what each operation begins with that may wait, whether it must or not: where a poll is
    requested, it lets others run first, unless the [timeout] is 0 or less: then the caller does not want to
    wait at all. Does not look whether the fiber is cancelled. About 1 ns. *)

val yield : unit -> unit
(** Queues the calling fiber at the end of its pool's injector. *)
