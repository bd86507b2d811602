(** Pools as domainslib has them, on top of Weft's.

    {b The pool of the calling code.} Two loads find it out ({!is_here}): if a task uses its own pool, the
    call goes straight to the scheduler.

    {b Empty pools.} In a pool without domains of its own, only the calling domain runs tasks. But if a task
    comes from outside when no thread is in the pool to run it, Weft would start a domain for it. So {!start}
    keeps such a task until {!run} hands it over to the pool. *)

type t

val setup : who:string -> ?name:string -> int -> t
(** [setup ~who n] is a pool with [n] domains of its own; [n] must not be negative. [who] is for messages,
    here and below. *)

val teardown : who:string -> t -> unit
(** Waits for all tasks of the pool and ends it. If one of its own tasks calls it, it returns at once, and the
    pool ends when that task and all others have ended. From the beginning of the call on, nothing can be
    started from outside.
    @raise Invalid_argument if it was torn down before, and so do all functions below afterwards. *)

val lookup : string -> t option
(** The youngest pool of that name that has not been torn down. *)

val domains : t -> int
(** How many domains take part, the caller's place included. *)

val is_here : t -> bool
(** Whether the calling code is a task of this pool. *)

val check : t -> unit
(** @raise Invalid_argument if the pool is torn down. *)

val run : who:string -> t -> (unit -> 'a) -> 'a
(** [run p f] is [f ()] as a task of [p]. Inside a task of [p] it is [f ()]. *)

val has_kept : t -> bool
(** Whether tasks are kept: then the pool is empty. *)

val start : who:string -> t -> (unit -> 'a) -> 'a Job.t
(** Starts a task from outside the pool. *)
