(** A pool's workers without domains: each is a process. *)

(** What the sleepers know of timers. *)
type timers =
  | None_at_all
  | Pending  (** all the time *)
  | In_heap  (** as it is: sections look at the heap, so they must be taken step by step *)

type t = { parts : Worker.parts; workers : Worker.t array }

val make : ?room:int -> ?except:string -> ?gone:int list -> ?away:int list -> ?timers_are:timers -> int -> t
(** [make n] has [n] workers, all of them at work, but those that are [gone] already and those who are [away]:
    they take no part. There is [room] for so many, [n] unless told; nobody becomes active beyond that, but
    the process [except] ({!Activity}). A fiber that another thread resumes goes to the injector, and nobody
    is woken for that. *)

val worker : t -> int -> string -> (Worker.t -> unit) -> unit
(** [worker c i name f] spawns a process that is worker [i] and does [f]. *)

(** {1 What workers do} *)

val run : Worker.t -> (unit -> unit) -> unit
(** Runs a job in a new fiber until it ends or suspends. *)

val steal_and_run : Worker.t -> unit
(** One try to steal from the others, and the job that came of it. *)

val run_own : Worker.t -> unit
(** Runs all that is in its deque and in the injector. *)

(** {1 Fibers to be stopped} *)

val context : t -> int -> Fiber.context
(** A context of a fiber that will begin on this worker. *)

val run_in : Worker.t -> Fiber.context -> (unit -> unit) -> unit
(** [run w f] in that context. *)

val begun : t -> int -> (unit -> unit) -> Fiber.context
(** [begun c i f] runs [f] in a new fiber on worker [i], up to where it waits, before the processes begin; in
    the context that is returned. *)

val stopper : Fiber.context -> exn -> unit
(** Spawns a process that stops the context. *)

(** {1 Judging} *)

val run_rest : t -> unit
(** Runs what is still queued. *)
