(** How many workers of a pool shall be at work at once: as many as the machine runs.

    More workers at work than processors to run them are worse than useless: every minor collection waits for
    the domain that does not run just then. This module decides, from readings taken every ten milliseconds or
    so, how large the pool's {e room} is (see [README.md]). It knows no clock and no thread: all it knows it
    is told.

    The room is the sum of three numbers.

    + {b The processors that there are for us.} At first, and at most, those that the process may use. If
      workers wait in the run queue, and there are collections, and k workers together got hardly more
      processor time than k \- 1 could have, then others use the processors, or the collections wait for
      domains that do not run: so fewer are tried, as many as the processors that they got. From time to time
      more are tried: after 0.4 s at first, and twice as long, up to 2 s, whenever that has failed. A trial
      lasts 0.1 s or so; it is judged by what workers get and by the minor heaps that they fill, whichever
      favours fewer workers: time alone does not tell what they spend on waiting for each other, and two pools
      that compete by it end up with too many workers each. Without collections nobody is held up, and there
      are no trials of fewer.
    + {b Blocked workers}, which use next to no processor: they sit in a system call, and another one can run
      instead. But a worker that uses no processor may also wait for one, which the kernel counts only when
      that wait ends, or for a collection. So if workers have waited for processors of late, a worker counts
      as blocked only when it has been silent for longer, or when collections have ended meanwhile: no
      collection ends without the workers that compute.
    + {b Stuck workers}, which have neither forked nor finished a job for 0.2 s. They may compute for long;
      but they may also spin until another task has done something, which it never will if nobody runs it.
      Time in which there were collections counts a tenth: then somebody computes.

    The constants are tried on a simulated machine ([test/scheduler/simulation.mli]). With a neighbour that
    computes, with several, with a second pool, under a quota, the work done is 0.9 of what the best fixed
    room does, or more; with as many neighbours as processors, where rooms that differ much do about as well,
    0.85. *)

type t

type reading = {
  mutable working : bool;  (** it is active, and was so since the last look *)
  mutable ran : int;  (** nanoseconds that its thread ran, ever *)
  mutable waited : int;  (** nanoseconds that it waited for a processor *)
  mutable known : bool;  (** whether [ran] and [waited] are *)
  mutable progress : int;  (** changes whenever it forks or takes a job *)
}
(** Of one worker. *)

val reading : unit -> reading

val create : workers:int -> processors:int -> assumed:int option -> t
(** For a pool of so many, where so many may run. [assumed]: so many do, come what may. *)

val look : t -> now:int -> processors:int -> share:float -> collections:int -> reading array -> int
(** The room from now on. [now]: nanoseconds, on a clock that never goes back. [processors]: that the process
    may use; [share]: the same, but not rounded up, if there is a quota. [collections]: minor collections so
    far. The readings are those of the workers, by their index. *)

val room : t -> int
(** What {!look} said last. *)
