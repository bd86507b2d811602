(** Pools as domainslib has them, on top of Weft's.

    {b The calling code's pool} costs two loads to find out ({!is_here}): everything that a task does with its
    own pool goes straight to the scheduler.

    {b Empty pools.} A pool without domains of its own promises that the calling domain is the only one that
    runs its tasks. Weft would start a domain for a task that comes from outside when nobody is there to run
    it. So {!start} keeps such a task until somebody is: {!run} hands it over. *)

type t

val setup : who:string -> ?name:string -> int -> t
(** [setup ~who n] is a pool with [n] domains of its own, [n] not negative. [who] is for messages, here and
    below. *)

val teardown : who:string -> t -> unit
(** Waits for all tasks of the pool and ends it. By one of its own tasks: returns at once, and the pool ends
    when that and all others have ended. Nothing can be started from outside from the beginning on.
    @raise Invalid_argument if it was torn down before, and so do all functions below afterwards. *)

val lookup : string -> t option
(** The youngest pool of that name that has not been torn down. *)

val domains : t -> int
(** All that take part, the caller's place included. *)

val is_here : t -> bool
(** Whether the calling code is a task of this pool. *)

val check : t -> unit
(** @raise Invalid_argument if the pool is torn down. *)

val run : who:string -> t -> (unit -> 'a) -> 'a
(** [run p f] is [f ()] as a task of [p]. Inside a task of [p], [f ()]. *)

val has_kept : t -> bool
(** Whether tasks are kept: then the pool is empty. *)

val start : who:string -> t -> (unit -> 'a) -> 'a Job.t
(** Starts a task from outside the pool. *)
