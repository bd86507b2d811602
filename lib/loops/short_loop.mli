(** Loops that should be over before anybody could help.

    A loop begins by reading clocks and making forks ({!Loop}): that takes longer than ten short iterations.
    If it is known of the function that it calls that all its iterations should take less than a block
    ({!Known_cost}), and if this worker's deque has enough for the thieves meanwhile, the iterations run in
    turn, without a clock. Between them the worker looks whether it is preempted, and whether thieves have
    emptied its deque; then the loop goes on as any. When its fiber is suspended, what is left is forked
    ({!Weft_scheduler.Loops}).

    Where thieves find nothing, the same code might take long the next time, or wait, outside of Weft's sight,
    for its other iterations to run at the same time. There, what follows the running indices lies in the
    deque, and thieves take it if it lies long ({!Deferred_rest}). *)

val by_blocks : code:int -> start:int -> finish:int -> (int -> int -> unit) -> unit
(** [Loop.blocks ~start ~finish body], where [code] is that of the user's function
    ({!Weft_platform.Closure.code}) which [body] calls once for each index. *)

val each : start:int -> finish:int -> (int -> unit) -> unit
(** The same, for a function that is called for each index. *)

(** {1 For reductions and searches} *)

val jobs : Job.task Deque.t -> int
(** How many jobs are in the deque; -1 if its worker is preempted or profiled, and outside of pools. *)

val is_short : jobs:int -> Known_cost.t -> int -> int -> int -> bool
(** [is_short ~jobs known code start finish]: whether a range, which has several indices, may run in turn. The
    deque must hold half as many jobs as the pool has workers. So without jobs, it is true only in a pool of
    one. *)

val may_be_deferred : jobs:int -> Known_cost.t -> int -> int -> int -> bool
(** The same arguments: whether a {!Deferred_rest} may run it, where the deque is empty and the pool has
    several workers. *)

val goes_on : Job.task Deque.t -> alone:bool -> bool
(** Whether it may go on like this. [alone]: in a pool of one worker. *)
