(** Where a fiber interrupts its work to look at signals, due timers, work from outside, and its own
    cancellation.

    To make a fiber poll, request preemption of its worker's deque ({!Deque.request_preempt}): the next fork,
    loop block or operation of that worker polls. *)

val poll : ?what:string -> may_suspend:bool -> unit -> unit
(** If the worker's deque has such a request: runs due signal handlers and timers, hands ready jobs of the
    deque to the injector, lets other fibers run first, and raises if the fiber is cancelled. A fiber that was
    started or resumed after the worker's last preemption goes on instead of letting others run. Afterwards
    the deque of the fiber's worker, which may be another one by then, has room for a push. If the fiber
    should give way and the operation may not suspend, the request stays: the next operation that may suspend
    gives way. [what] names the operation in the record of an explored program; ["poll"] if it is left out. *)

val choose : what:string -> unit
(** If the program is explored ({!Explored}): another fiber may go first, before this one does [what]. Then
    looks for cancellation. *)

val access : what:string -> unit
(** Likewise, but does not look for cancellation. *)

val check : unit -> unit
(** Polls if that is requested; raises if the calling fiber is cancelled. *)

val checkpoint : unit -> unit
(** Every operation that can end without waiting, but may wait, begins with [checkpoint ()] (one that always
    waits gives way by waiting), and so do calls that only set a context up, such as [Cancel.within]: if a
    poll is requested, it lets others run first, and raises if the fiber is cancelled, as {!poll} does. So it
    comes before anything is done. About 1 ns. *)

val checkpoint_within : what:string -> float option -> unit
(** [checkpoint_within ~what timeout] is [checkpoint ()], unless the [timeout] is 0 or less: then the caller
    does not want to wait at all.
    @raise Invalid_argument in the name of [what] if [timeout] is nan, whether the operation must wait or not.
*)

val yield : unit -> unit
(** Queues the calling fiber in its pool's injector, behind what is ready and all that have yielded; once it
    is cancelled, among what is ready. A requested poll is done before, and is not left to the next operation.
*)
