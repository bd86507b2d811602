(** Pools: their domains, their callers from outside, their end. [Weft.Pool] documents what users see.

    {b The seat.} A pool of [n] domains has [n] workers: [n - 1] run in domains of the pool's own; worker 0 is
    a place, the seat, for a thread from outside. Whoever calls {!run} from outside sits down and works until
    its own job is settled. If the seat is taken, it queues its job in the injector and blocks; when the seat
    becomes free, one who waits is woken to take it. On leaving, what is left in the seat's deque moves to the
    injector.

    {b Nobody there.} If a pool has no domains of its own (one domain asked for, or none to be had) and the
    seat is free, then work that comes in from outside, or is left by a leaver, starts a {e resident}: a
    domain, or if there is none a system thread, that takes the seat until there is nothing more to do.

    {b Closing} goes in three steps: no new work from outside; wait until every worker is listed as asleep and
    all queues are empty (the closing thread sits down if the seat is free); then end the fibers that still
    wait, with the exception given, and again, until there are none. *)

type t

exception Closed of string

val create : ?name:string -> ?domains:int -> caller:bool -> string -> t
(** [create ~caller who] is a new pool; without [caller], it has [domains] domains of its own and no seat.
    [who] is the function named in error messages. *)

val default : unit -> t
val current : unit -> t option
val find : string -> t option
val name : t -> string
val domains : t -> int
val default_domains : unit -> int
val run : t -> (unit -> 'a) -> string -> 'a

val run_default : (unit -> 'a) -> 'a
(** [run (default ()) f]. *)

val async : t -> (unit -> 'a) -> string -> 'a Job.t

val await_outside : 'a Job.t -> 'a
(** What a thread outside any pool does to get an outcome: works along in the default pool if that is there
    and its seat is free, else blocks. *)

val close : t -> string -> unit

type worker_stats = { forks : int; jobs : int; steals : int; parks : int; wakes : int }

val stats : t -> worker_stats array

val use_and_close : t -> string -> (unit -> 'a) -> 'a
(** [use_and_close p who f] is [f ()], then {!close} whatever happened; but if a signal's exception has taken
    a caller away from a call that goes on ([Sys.Break] while it waited), [p] is closed in the background. *)
