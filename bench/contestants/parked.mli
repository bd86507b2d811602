(** A pool of domains written by hand, as in a careful program without a library: workers made by
    [Domain.spawn] take functions from one [Queue] under a [Mutex], and wait at a [Condition] while it is
    empty. So idle domains are parked; they do not end. *)

type t

val with_pool : domains:int -> (t -> 'a) -> 'a
(** [with_pool ~domains f] is [f p] for a new pool [p], which consists of [domains - 1] workers and the caller
    of {!run_all}. When [f p] has returned or raised, the workers finish what was submitted, and end. *)

val submit : t -> (unit -> unit) -> unit
(** [submit p f] makes some worker call [f ()], which must not raise, and returns at once. A pool of one
    domain has no worker: there the next caller of {!run_all} calls [f ()]. *)

val run_all : t -> (unit -> unit) list -> unit
(** [run_all p fs] calls every function of [fs] in the workers and the calling thread, and returns when all
    have returned or raised. It raises the first exception again, with its backtrace. *)
