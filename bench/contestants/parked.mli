(** A pool of domains made by hand, as a careful program has it that uses no library: workers made by
    [Domain.spawn] take functions from one [Queue] under a [Mutex], and wait at a [Condition] while it is
    empty. So idle domains are parked; they stay. *)

type t

val with_pool : domains:int -> (t -> 'a) -> 'a
(** [with_pool ~domains f] is [f p] for a new pool [p] of [domains - 1] workers and the caller of {!run_all}.
    When [f p] has returned or raised, the workers finish what was submitted, and end. *)

val submit : t -> (unit -> unit) -> unit
(** [submit p f] has some worker call [f ()], which must not raise. Returns at once. A pool of one domain has
    no worker: then [f ()] is called by whoever calls {!run_all} next. *)

val run_all : t -> (unit -> unit) list -> unit
(** [run_all p fs] calls every function of [fs], by the workers and the calling thread, and returns when all
    have returned or raised. The first exception is raised again, with its backtrace. *)
