(** The switch [WEFT_EXPLORE]: a seed or a schedule decides which fiber runs next.

    A program that is started with it has one worker for each pool, whose deque is held: every fork, poll and
    operation that may wait takes its slow path. There, and where a fiber waits or ends, {!Poll} and {!Steal}
    ask this module which of the ready jobs comes next. Time is virtual: it stands still while anything is
    ready, and {!Worker_loop} lets it jump to the next timer when nothing is. Without the variable, [on] is
    false for good and the rest does nothing.

    All on one domain. *)

val on : bool

val exit_wrong : int
(** 124: the variable or the schedule is wrong. *)

val exit_livelock : int
(** 125. *)

val domains : int
(** So many are shown by a pool whose size nobody chose, and assumed by loops: the same on each machine. *)

val jump_to : int -> unit
(** [jump_to t] sets the virtual time to [t], unless it is later already. *)

(** {1 Who is who} *)

val begins : Job.task -> unit
(** The worker begins with this job, or goes on with it. *)

val self : unit -> string
(** The fiber that runs. *)

val return_to : string -> unit
(** It runs again. *)

val joins : Job.task -> unit
(** The current fiber waits for this fork. *)

val joined : Job.task -> Job.task -> unit
(** [joined fork job]: the fiber that waits for [fork] is ready, and [job] resumes it. *)

val wait_as : what:string -> bool Atomic.t -> unit
(** [wait_as ~what claimed]: the current fiber waits; who wakes it sets [claimed]. *)

val woken : bool Atomic.t -> Job.task -> unit
(** [woken claimed job]: the fiber that waits with [claimed] is ready, and [job] resumes it. *)

val yields : Job.task -> unit
(** The current fiber is ready as that job, and goes after others. *)

val makes_way : Job.task -> for_:Job.task -> unit
(** The current fiber is ready as that job, and the other comes next. *)

(** {1 Choosing} *)

val switch : what:string -> Job.task list -> Job.task option
(** The current fiber is about to do [what], and these are ready: which goes first; [None]: it goes on. *)

val next : Job.task list -> Job.task
(** Which of these comes next; {!Job.nil} of none. *)
