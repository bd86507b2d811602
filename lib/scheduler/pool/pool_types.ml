(** The records of {!Pool_state}: here once, and included there, in its interface too; as in {!Types}. *)

type state = Open | Closing | Ended

type root = { mutable context : Fiber.context option; mutable told : bool }
(** The computation of an outside caller. [context]: once it runs; [told]: it has been told that it is
    deadlocked. *)

type call = {
  place : Worker.t;  (** reserved for the worker that comes *)
  work : unit -> unit;  (** what it does there *)
  leave : unit -> unit;
      (** frees the place; called once, under the pool's lock, when the work has ended or an exception kept it
          from beginning *)
  give_up : exn -> unit;  (** called under the pool's lock if neither a domain nor a thread can be had *)
}
(** What a {e fallback worker} is to do: a thread of the pool's own that is a worker while there is work. See
    {!External_slot}. *)

type fallback = { parker : Parker.t; mutable called : call option }
(** A fallback worker that has nothing to do, or has just been called again. *)

type extra_slot = {
  worker : Worker.t;
  mutable taken : bool;  (** a fallback worker is this worker, or is called to be *)
  mutable ran : int;  (** nanoseconds of its thread on a processor, at the last look *)
}
(** The slot of an extra worker: see {!Extra_workers}. Only the looking thread uses [ran]. *)

(** What a look found in a queue: see {!Extra_workers}. *)
type sign = Nothing | Ready of { jobs : int; forks : int; top : int; bottom : int }

type t = {
  name : string;
  parts : Worker.parts;
  wake_word : Deque_memory.word;
  lock : Lock.t;
      (** guards the mutable fields that follow. Fields read without it are hints, or are read again under it;
          [abandoned] and [domains] are written by one thread. *)
  mutable state : state;
  masked : Signal_mask.t;
      (** the signals masked in the thread that made the pool; its domains get the same mask *)
  mutable spare : Worker.t array;  (** workers whose domains could not be started *)
  mutable own : Runtime_threads.domain list array;
      (** for each worker, its domain and the earlier ones that may still be running *)
  mutable fallbacks : Runtime_threads.domain list;  (** the same for the fallback workers *)
  mutable slot_taken : bool;  (** somebody has the slot *)
  mutable calls : call list;  (** for a fallback worker, not taken yet *)
  mutable resting : fallback list;  (** fallback workers without work *)
  mutable extra_slots : extra_slot list;  (** the slots of extra workers; only ever added to *)
  mutable signs : sign array;
      (** what the last look found in each queue; only the looking thread uses it and [held_back] *)
  mutable held_back : int;  (** looks since the last extra worker came that wanted one more *)
  mutable waiting : Parker.t list;  (** outside callers that would take the slot, youngest first *)
  mutable roots : root list;  (** one for each outside caller *)
  mutable abandoned : bool;  (** a signal's exception made a caller leave its call *)
  mutable being_closed : bool;  (** a thread is closing it *)
  mutable slot_kept : bool;  (** the thread that closes the pool has the slot, for good *)
  mutable closers : Parker.t list;  (** threads that close the pool *)
  stop : bool Atomic.t;  (** the workers shall end *)
  quiet : bool Atomic.t;  (** while the pool is closed: nothing is left to run *)
  mutable domains : int;
  minor_heap : Minor_heap.choice option;
      (** of the domains that work in it; [None]: the program's own setting *)
  minor_heap_asked : bool;  (** the caller of [create] gave its size *)
  mutable hold : Minor_heap.hold option;  (** of the domain that made the pool, if its size was asked for *)
  mutable slot_hold : Minor_heap.hold option;  (** of the thread in the slot, if it works for long *)
  injections : int Atomic.t;  (** jobs pushed into the injector from outside, in all *)
  mutable final : Worker_stats.t array option;  (** the statistics, once the pool has ended *)
}
