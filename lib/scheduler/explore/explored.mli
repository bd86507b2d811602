(** A seed or a schedule decides which fiber runs next: in a program that is started with the variable
    [WEFT_EXPLORE], and in a function ({!run_function}, for [Weft_explore]).

    Each pool then has one worker, whose deque is held: every fork, poll and operation that may wait takes its
    slow path. There, and where a fiber waits or ends, {!Poll} and {!Steal} ask this module which of the ready
    jobs comes next. Time is virtual: it jumps to the next timer when nothing is ready, and, if the settings
    say so, where the seed or the schedule chooses that instead of a job. Where nothing is explored, [on] is
    false and the functions do nothing.

    Everything here runs on one domain. *)

val on : bool ref
(** Set by the variable, or by {!run_function}. *)

val exit_wrong : int
(** 124: the variable or the schedule is wrong. *)

val exit_livelock : int
(** 125. *)

val domains : int
(** What a pool whose size nobody chose says that it has, and what loops assume: the same on each machine. *)

val jump_to : int -> unit
(** [jump_to t] sets the virtual time to [t], unless it is later already. *)

(** {1 Who is who} *)

val begins : Job.task -> unit
(** The worker begins with this job, or goes on with it. *)

val self : unit -> string
(** The name of the fiber that runs. *)

val return_to : string -> unit
(** [return_to name]: the fiber of that name runs again. *)

val joins : Job.task -> unit
(** The current fiber waits for this fork. *)

val joined : Job.task -> Job.task -> unit
(** [joined fork job]: the fiber that waits for [fork] is ready, and [job] resumes it. *)

val wait_as : what:string -> Claim.t -> unit
(** [wait_as ~what claim]: the current fiber waits; who wakes it takes [claim]. *)

val woken : Claim.t -> Job.task -> unit
(** [woken claim job]: the fiber that waits with [claim] is ready, and [job] resumes it. *)

val yields : Job.task -> unit
(** The current fiber is ready as that job, and goes after others. *)

val makes_way : Job.task -> for_:Job.task -> unit
(** The current fiber is ready as that job, and the other comes next. *)

(** {1 Choosing} *)

type choice =
  | Nothing_else  (** the current fiber goes on, or nothing is ready *)
  | Job of Job.task
  | Time  (** first time passes to the next timer: then ask again *)

val switch : what:string -> time:bool -> Job.task list -> choice
(** [switch ~what ~time ready]: the current fiber is about to do [what]; which job of [ready] goes first.
    [time]: there is a timer. *)

val next : time:bool -> Job.task list -> choice
(** Which of these comes next. *)

val look : unit -> unit
(** Raises what {!end_all} has said. By a fiber, after it has gone on. *)

(** {1 A function} *)

val is_whole_program : bool
(** The variable is set. *)

val run_function :
  ?schedule:Schedule_file.choice list ->
  record:bool ->
  livelock:(unit -> unit) ->
  Explore_settings.t ->
  (unit -> 'a) ->
  'a
(** [run_function ~record ~livelock settings f] explores what [f] does. No pool may be open, before and
    afterwards. [livelock] is called at each point after so many without progress. *)

val is_function : unit -> bool
(** A function is being explored: it has one pool. *)

val end_all : exn -> unit
(** From now on each fiber raises this at its points, by {!look}. *)

val livelock_message : int -> string
(** The message, for so many points. *)

val decisions : unit -> int
(** At how many points of the last exploration there were two options or more. *)

val recorded : ended:string -> string option
(** The text of that exploration's record, which [Weft_schedules.Record] reads, if one was asked for. [ended]
    goes into it. *)
