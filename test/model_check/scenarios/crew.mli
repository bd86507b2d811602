(** A pool's workers without domains: each is a process. *)

(** What the sleepers are told about timers. *)
type timers =
  | None_at_all
  | Pending  (** a timer is pending all the time *)
  | In_heap  (** as the heap says: sections look at the heap, so they must be taken step by step *)

type t = { parts : Worker.parts; workers : Worker.t array }

val make : ?room:int -> ?except:string -> ?gone:int list -> ?away:int list -> ?timers_are:timers -> int -> t
(** [make n] makes [n] workers. All of them are at work, except those that are [gone] already and those that
    are [away], which take no part. There is [room] for so many, by default [n]; no process makes a worker
    active beyond that, except the process [except] ({!Activity}). A fiber that another thread resumes goes to
    the injector, and no worker is woken for it. *)

val worker : t -> int -> string -> (Worker.t -> unit) -> unit
(** [worker c i name f] spawns a process that is worker [i] and calls [f]. *)

(** {1 What workers do} *)

val run : Worker.t -> (unit -> unit) -> unit
(** Runs a job in a new fiber until it ends or suspends. *)

val steal_and_run : Worker.t -> unit
(** Tries once to steal from the others, and runs the stolen job. *)

val run_own : Worker.t -> unit
(** Runs all that is in the worker's deque and in the injector. *)

(** {1 Fibers to be stopped} *)

val context : t -> int -> Fiber.context
(** The context of a fiber that will begin on this worker. *)

val run_in : Worker.t -> Fiber.context -> (unit -> unit) -> unit
(** [run w f] runs [f] in that context. *)

val begun : t -> int -> (unit -> unit) -> Fiber.context
(** [begun c i f] runs [f] in a new fiber on worker [i] until it waits, before the processes begin. Returns
    the fiber's context. *)

val stopper : Fiber.context -> exn -> unit
(** Spawns a process that stops the context. *)

(** {1 Judging} *)

val run_rest : t -> unit
(** Runs what is still queued. *)
