(** Workers that push, sleep, search, retire, and what must hold when none of them goes on. *)

type t = {
  crew : Crew.t;
  busy : bool;  (** the jobs never end, so whoever takes one takes no other *)
  mutable takers : string list;  (** the processes that have taken jobs *)
  mutable sleepers : int list;  (** workers that may end asleep, or gone *)
  mutable judges : (unit -> string) list;
}

val scenario :
  ?long:bool ->
  ?real_parts:bool ->
  ?busy:bool ->
  ?room:int ->
  ?except:string ->
  ?gone:int list ->
  ?away:int list ->
  ?timers:Crew.timers ->
  ?tell:(t -> string) ->
  string ->
  outcomes:string list ->
  workers:int ->
  (t -> unit) ->
  Scenario.t
(** [real_parts] runs the lock and the deques step by step; otherwise each of their operations is a step or
    two. The rest as in {!Crew.make}.

    At the end of each run no job may be left while somebody sleeps, or is gone, though there is room. While
    there is none, somebody waits as a spare, and [watch] was called. A worker has one thread, or none if it
    is gone. [tell] may judge more, and names the outcome: {!tell} unless told. *)

val tell : t -> string
(** Who has taken jobs, and who is gone. *)

val asleep : t -> int list
(** The workers that wait for ever. *)

(** {1 For scenarios} *)

val sleepers : t -> Sleepers.t
val worker : t -> int -> Worker.t

val more : t -> unit -> bool
(** Whether there is work. *)

val job : t -> Job.task
(** Notes who takes it. *)

val pushes : t -> int -> string -> int -> unit
(** [pushes c i name n]: worker [i] pushes [n] jobs, and is at work for ever. *)

val holds : t -> int -> unit
(** A job lies in its deque from the start. *)

val submits : ?more:bool -> t -> int -> unit
(** So many jobs come from outside; [more]: while the one that is woken is still to come, another one is. *)

val awaited_job : unit -> bool Atomic.t * Job.task
(** A job, and whether it was taken, which is a step. *)

val asks : t -> taken:bool Atomic.t -> unit
(** Somebody looks whether there is nothing to do, as who closes a pool does, and the detection of deadlocks:
    not before the job was taken. *)

val process : t -> int -> string -> (Worker.t -> unit) -> unit
(** {!Crew.worker}, for one that may end asleep. *)

val all_day : t -> int -> string -> unit
(** It works. *)

val goes_to_sleep : t -> int -> string -> unit
(** From the moment on when it has found nothing and may not search. *)

val may_step_down : t -> int -> string -> unit
(** It has come to be between two jobs, and works on if it is one too many; else it computes for ever. *)

val waits : Worker.t -> unit
(** What a worker does that is listed, and has looked once more. *)

val sleeps : t -> int -> string -> unit
(** It is listed, and {!waits}. *)

val start_search : t -> int -> unit

val searches : t -> int -> string -> unit
(** From its one look around on. *)

val elastic : t -> int -> string list -> unit
(** It is listed, and retires when its time is over, if it may; each of the names is a thread that is the
    worker then, the last one does not retire. No thread may be started while another one waits. If the worker
    is gone from the start, the first of them begins when it is respawned. *)
