(** A profiled session: its strands, and which one runs on which worker. See {!Work_span} for the idea.

    Of a strand, only the worker that it runs on changes anything. *)

type place = {
  number : int;  (** its own *)
  name : string;  (** [""] for the session *)
  parent : place option;
  work : int Atomic.t;  (** ticks, without the regions inside *)
  mutable calls : int;
  mutable span : int;  (** of all calls, one after the other; with the regions inside *)
  mutable burdened : int;
  inside : (string, place) Hashtbl.t;  (** by name *)
}
(** A region, or the session. *)

module Path : Map.S with type key = int

type path = int Path.t
(** By the places' numbers: how much of the longest chain lies in which region, those inside it apart. *)

type clock = {
  now : unit -> int;  (** ticks *)
  is_real : bool;  (** then there is an overhead to be subtracted, and waits for processors *)
}

type point = { at : int; burdened : int; path : path }
(** How far the longest chain has come. [path] is without what was done since [since] in the present place. *)

type session = {
  clock : clock;
  burden : int;
  assumed : int;  (** how many workers loops think there are *)
  lock : Mutex.t;  (** guards the places' children and figures, and the tip *)
  root : place;  (** its calls are those of [run] from outside, and their spans *)
  graph : Task_graph.t;
  main : Task_graph.task;  (** it forks and joins the calls of [run] from outside *)
  mutable tip : point;  (** the latest end of a call from outside *)
  mutable per_piece : int;
  subtracted : int Atomic.t;
}
(** What is measured together. *)

type t = {
  session : session;
  task : Task_graph.task;
  mutable point : point;  (** [at] and [burdened] when the piece began *)
  mutable since : int;  (** [at] when the place was entered *)
  mutable place : place;
  mutable unsaid : int;  (** work not yet told to the place *)
  mutable began : int;  (** by the clock, the piece under way *)
  mutable paused : int;
  mutable ended : bool;
  mutable origin : origin;
  mutable met : point;  (** of the last settling that it met *)
  number : int;  (** of tasks, from their forker *)
  mutable made : int;  (** tasks so far *)
}
(** A strand. *)

and origin = Unknown | Forked of { by : t; mark : Task_graph.mark } | Joined_by of t

val none : t
val make : ?number:int -> session -> task:Task_graph.task -> point:point -> since:int -> place:place -> t
val place : string -> place option -> place

(** {1 Sessions} *)

val ticks : clock
(** {!Weft_platform.Tsc}. *)

val start : clock:clock -> burden:int -> grain:int -> workers:int -> session
(** A new session. [burden] and [grain] (see {!Task_graph}) in ticks; [workers] is how many loops think there
    are. *)

val profiling : bool ref
(** Whether there ever was a session: what the scheduler looks at before it calls anything here. *)

val of_new_pool : (unit -> session option) ref
(** The session of a pool that is made: that of the strand that makes it, or what is put here for others. *)

val session_here : unit -> session option
(** That of a new pool. *)

val attach : 'a Deque_memory.t -> session -> unit
(** The worker of this deque belongs to the session. *)

val detach : 'a Deque_memory.t -> unit
val set_overhead : session -> per_piece:int -> unit

val overhead : session -> int
(** Ticks subtracted so far. *)

val workers : 'a Deque_memory.t -> int
(** As {!start} was told, or 0 if the worker of this deque is not profiled. *)

val is_profiled : 'a Deque_memory.t -> bool

(** {1 Workers} *)

type slot = {
  of_session : session;
  mutable current : t;
  mutable last : t;  (** that has ended here *)
  mutable thread : int;
  mutable thread_clock : Thread_clock.t;
  reading : Thread_clock.reading;
}
(** A profiled worker. *)

val slot : 'a Deque_memory.t -> slot option
val here : unit -> slot option

val stop : slot -> t -> unit
(** The piece under way is over. *)

val go : slot -> t -> unit
(** A piece of this strand begins. *)

(** {1 Points} *)

val say : t -> unit
(** Tells the place the work that it has not been told yet. *)

val point_of : t -> point
(** With the whole path. *)

val later : t -> point -> unit
(** The strand goes on at the later of its point and this one. *)

(** {1 Results} *)

val span : session -> int
val burdened : session -> int
val path : session -> path
