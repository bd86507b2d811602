(** Making pools and giving them work. [Weft.Pool] documents what users see; {!External_slot},
    {!External_caller} and {!Shutdown} how it is done. *)

type t = Pool_state.t

val create :
  ?name:string ->
  ?domains:int ->
  ?minor_heap:int ->
  ?session:Span_session.session ->
  caller:bool ->
  string ->
  t
(** [create ~caller who] makes a pool. Without [caller], it has [domains] domains of its own, and no caller is
    expected in its slot. [who] is the function that error messages name. Its computations are measured as
    part of [session], by default the session of the code that makes it ({!Span_session.session_here}). *)

val time_calls : clock:(unit -> int) -> unit
(** From now on {!time_in_calls} counts, by this clock. *)

val time_in_calls : unit -> int
(** How far the clock went on while at least one thread outside all pools was in {!run} or waited. *)

val default : unit -> t
val current : unit -> t option
val find : string -> t option
val name : t -> string
val present : t -> int
val room : t -> int
val domains : t -> int
val default_domains : unit -> int
val stats : t -> Worker_stats.t array

val injected : t -> int
(** Jobs pushed into its injector in all, without those that workers left there for others. *)

val queued : t -> int
(** About how many jobs are in its queues, stale entries included. *)

val timers : t -> int

val waiting : t -> string list
(** The operations in which fibers wait, an element for each fiber; those included that stand in line for room
    of a limit. O(fibers). *)

val run : t -> (unit -> 'a) -> string -> 'a
(** [run p f who]. *)

val run_default : (unit -> 'a) -> 'a
(** [run (default ()) f]. *)

val task : t -> (unit -> 'a) -> 'a Job.t
(** A job for {!submit}. *)

val submit : ?background:bool -> t -> 'a Job.t -> string -> unit
(** [submit p j who], from outside of [p]. *)

val offer_default : 'a Job.t -> string -> bool
(** [offer_default j who] submits [j] to the default pool, unless that has just been closed or cannot be made.
    Whether the pool has it. *)

val async : ?background:bool -> t -> (unit -> 'a) -> string -> 'a Job.t
(** [async p f who]. With [background], the job runs when there is nothing else to do. *)

val await_outside : 'a Job.t -> 'a
(** How a thread outside any pool waits for an outcome: it works in the default pool if that exists and its
    slot is free, and blocks otherwise. *)
