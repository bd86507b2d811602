(** What there is to know of a pool, and the table of all pools. {!External_slot}, {!Pools} and
    {!module-Shutdown} act on it. *)

exception Closed of string
(** See [Weft.Pool.Closed]. *)

type state = Open | Closing | Ended

type worker_stats = {
  forks : int;
  jobs : int;
  steals : int;
  failed_steals : int;
  searches : int;
  late_finds : int;
  parks : int;
  wakes : int;
  idle_wakes : int;
  suspensions : int;
  retired : int;
  returns : int;
}

(** See [Weft.Pool.worker_stats]. *)

type root = { mutable context : Fiber.context option; mutable told : bool }
(** What an outside caller waits for; [context] once it runs; [told] that it is deadlocked. *)

type call = {
  place : Worker.t;  (** it is kept for who comes *)
  work : unit -> unit;  (** what is to be done there *)
  leave : unit -> unit;
      (** the place is free again: called once, when the work has ended, or has been kept from its beginning
          by an exception; under the pool's lock *)
  give_up : exn -> unit;  (** there is neither a domain nor a thread for it; under the pool's lock *)
}
(** For a {e fallback worker}, a thread of the pool's own that is a worker for as long as there is work: see
    {!External_slot}. *)

type fallback = { parker : Parker.t; mutable called : call option }
(** One that has nothing to do, or has just been called again. *)

type extra_slot = {
  worker : Worker.t;
  mutable comes : bool;  (** a fallback worker is this worker, or is called to be *)
  mutable ran : int;  (** nanoseconds of its thread on a processor, at the last look *)
}
(** The place of an extra worker: see {!Extra_workers}. [ran] is the looking thread's. *)

(** What a look finds in a queue: see {!Extra_workers}. *)
type sign = Nothing | Ready of { jobs : int; forks : int; top : int; bottom : int }

type t = {
  name : string;
  parts : Worker.parts;
  wake_word : Deque_memory.word;
  lock : Lock.t;
      (** guards the mutable fields that follow. Reads without it are hints, or are made again under it;
          [abandoned] and [domains] are written by one thread. *)
  mutable state : state;
  masked : Signal_mask.t;
      (** the signals that the thread had masked that made the pool: its domains have the same mask *)
  mutable spare : Worker.t array;  (** workers whose domains could not be started *)
  mutable own : Runtime_threads.domain list array;
      (** for each worker, its domain and the earlier ones that may still be running *)
  mutable fallbacks : Runtime_threads.domain list;  (** likewise, the fallback workers' *)
  mutable slot_taken : bool;  (** somebody has the slot *)
  mutable calls : call list;  (** that no fallback worker has yet *)
  mutable resting : fallback list;  (** those that have nothing to do, and may be called again *)
  mutable extra_slots : extra_slot list;  (** the places of extra workers; never fewer *)
  mutable signs : sign array;  (** of the last look, the looking thread's; as is [held_back] *)
  mutable held_back : int;  (** looks that wanted one more extra worker since the last one came *)
  mutable waiting : Parker.t list;  (** outside callers that would take the slot, youngest first *)
  mutable roots : root list;  (** the outside callers' *)
  mutable abandoned : bool;  (** a signal's exception took a caller away from its call *)
  mutable being_closed : bool;  (** a thread is at it *)
  mutable slot_kept : bool;  (** by the closing, for good *)
  mutable closers : Parker.t list;  (** threads that close the pool *)
  stop : bool Atomic.t;  (** the workers are to end *)
  quiet : bool Atomic.t;  (** while closing: there was nothing left to run *)
  mutable domains : int;
  minor_heap : Minor_heap.choice option;
      (** of the domains that work in it; [None]: what new domains have anyway *)
  minor_heap_asked : bool;  (** by who made the pool *)
  mutable hold : Minor_heap.hold option;  (** of the domain that made the pool, if asked *)
  mutable slot_hold : Minor_heap.hold option;  (** of the thread in the slot, if it works for long *)
  injections : int Atomic.t;  (** jobs ever put into the injector from outside *)
  mutable final : worker_stats array option;  (** once ended *)
}

val has_domains : t -> bool
(** Whether it has domains of its own, retired or not. *)

val misuse : string -> ('a, unit, string, 'b) format4 -> 'a
(** [misuse who "..."] raises [Invalid_argument "who: ..."]. *)

val all_workers : t -> Worker.t array
(** Those of the pool, and then the places of extra ones, in the order in which they were made. *)

val unpark_all : t -> unit
(** Makes every worker, and who rests, look around once. *)

val stats : t -> worker_stats array
(** What extra workers have done counts as the slot's. *)

(** {1 All pools, by name} *)

val default_name : string
(** ["default"]. *)

val reserve : string -> string option -> string
(** [reserve who name] reserves [name], or the next unused number.
    @raise Invalid_argument in the name of [who] if it is taken. *)

val publish : t -> unit
(** The pool is complete: {!find} finds it. *)

val unregister : string -> unit
val find : string -> t option

val others : t -> t list
(** All complete pools but this one. *)

val all : unit -> t list
(** All complete pools, by name. *)

val current : unit -> t option
(** The pool that the calling thread works for. *)
