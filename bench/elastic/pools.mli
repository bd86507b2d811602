(** The pools that are compared, seen alike. Each contestant makes its pool, and runs the work outside it, on
    the calling thread: a pool may be left idle, given single tasks, or a loop. *)

open Weft_bench_harness

type t = {
  submit : (unit -> unit) -> unit;  (** some worker is to call this, which does not raise; returns at once *)
  for_ : int -> (int -> unit) -> unit;
      (** [for_ n body] calls [body 0] to [body (n - 1)], each a task; the caller works along *)
}

val current : unit -> t
(** The pool of the contestant that is running.
    @raise Invalid_argument if there is none. *)

val none : Contestant.t
(** [no-pool], the baseline: everything is called in place. *)

val parked : Contestant.t
(** [parked]: {!Weft_bench_contestants.Parked}. *)

val spawned : Contestant.t
(** [spawned]: no pool, but a [Domain.spawn] for every task: what new domains cost at least. *)

val weft : Contestant.t
(** [weft]: a pool of {!Weft.Pool}. *)

val weft_equal_heap : Contestant.t
(** [weft-256k]: the same with minor heaps of OCaml's usual size, as [parked] has them. *)

val rested : Contestant.t -> Contestant.t
(** [rested c] is [c] with a pool all of whose domains have worked, and have then been idle for 50 ms, when
    the work begins. *)
