(** Workers that push, sleep, search and retire, and what must hold when none of them goes on. *)

type t = {
  crew : Crew.t;
  busy : bool;  (** the jobs never end, so a worker that takes one takes no other *)
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

    At the end of each run no job may be left while a worker sleeps, or is gone, though there is room. While
    there is none, a worker waits as a spare, and [watch] was called. A worker has one thread, or none if it
    is gone. [tell] may check more, and names the outcome; by default it is {!tell}. *)

val tell : t -> string
(** Which processes have taken jobs, and which workers are gone. *)

val asleep : t -> int list
(** The workers that wait for ever. *)

(** {1 For scenarios} *)

val sleepers : t -> Sleepers.t
val worker : t -> int -> Worker.t

val more : t -> unit -> bool
(** Whether there is work. *)

val job : t -> Job.task
(** Notes which process takes the job. *)

val pushes : t -> int -> string -> int -> unit
(** [pushes c i name n]: worker [i] pushes [n] jobs, and is then at work for ever. *)

val holds : t -> int -> unit
(** A job is in the worker's deque from the start. *)

val submits : ?more:bool -> t -> int -> unit
(** So many jobs come from outside. With [more], each submission wakes another worker while the first one is
    still starting. *)

val awaited_job : unit -> bool Atomic.t * Job.task
(** A job, and whether it was taken; taking it is a step. *)

val asks : t -> taken:bool Atomic.t -> unit
(** A process checks whether there is nothing to do, as the closing of a pool and the detection of deadlocks
    do. It must not find that before the job was taken. *)

val process : t -> int -> string -> (Worker.t -> unit) -> unit
(** {!Crew.worker}, for a worker that may end asleep. *)

val all_day : t -> int -> string -> unit
(** The worker works. *)

val goes_to_sleep : t -> int -> string -> unit
(** The worker has found nothing and may not search: what it does from then on. *)

val may_step_down : t -> int -> string -> unit
(** The worker is between two jobs. If it is one too many, it returns to its loop; else it computes for ever.
*)

val waits : Worker.t -> unit
(** What a worker does that is listed and has looked once more. *)

val sleeps : t -> int -> string -> unit
(** The worker is listed, and {!waits}. *)

val start_search : t -> int -> unit

val searches : t -> int -> string -> unit
(** From the worker's one look around on. *)

val elastic : t -> int -> string list -> unit
(** The worker is listed, and retires when its time is over, if it may. Each name is a thread that is the
    worker in turn; the last one does not retire. No thread may be started while another one waits. If the
    worker is gone from the start, the first thread begins when the worker is respawned. *)
