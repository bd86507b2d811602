(** A seed or a schedule decides which fiber runs next: in a program that is started with the variable
    [WEFT_EXPLORE], and in a function ({!explored}, for [Weft_explore]).

    Each pool then has one worker, whose deque is held: every fork, poll and operation that may wait takes its
    slow path. There, and where a fiber waits or ends, {!Poll} and {!Steal} ask this module which of the ready
    jobs comes next. Time is virtual: it stands still while anything is ready, and {!Worker_loop} lets it jump
    to the next timer when nothing is. Otherwise [on] is false, and the rest does nothing.

    All on one domain. *)

val on : bool ref
(** Set by the variable, or by {!explored}. *)

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

(** {1 A function} *)

val is_whole_program : bool
(** The variable is set. *)

val explored :
  ?schedule:Schedule_file.choice list ->
  record:bool ->
  livelock:(unit -> unit) ->
  Explore_settings.t ->
  (unit -> 'a) ->
  'a
(** [explored ~record ~livelock settings f] explores what [f] does. No pool may be open, before and
    afterwards. [livelock] is called at each point after so many without progress. *)

val livelock_of : int -> string
(** The message, for so many points. *)

val choices : unit -> int
(** How many choices there have been in the last exploration. *)

val recorded : ended:string -> string option
(** Its record, if there is one. *)
