(** The pools that are compared, behind one interface. Each contestant makes its pool and runs the work
    outside it, on the calling thread. The work may leave the pool idle, submit single tasks, or run a loop.
*)

open Weft_bench_harness

type t = {
  submit : (unit -> unit) -> unit;
      (** makes some worker call the function, which must not raise; returns at once *)
  for_ : int -> (int -> unit) -> unit;
      (** [for_ n body] calls [body 0] to [body (n - 1)], each in a task; the caller takes part *)
}

val current : unit -> t
(** The pool of the contestant that is running.
    @raise Invalid_argument if there is none. *)

val none : Contestant.t
(** [no-pool], the baseline: calls everything in place. *)

val parked : Contestant.t
(** [parked]: {!Weft_bench_contestants.Parked}. *)

val spawned : Contestant.t
(** [spawned]: no pool, but a [Domain.spawn] for every task: a lower bound for the cost of new domains. *)

val weft : Contestant.t
(** [weft]: a pool of {!Weft.Pool}. *)

val weft_equal_heap : Contestant.t
(** [weft-256k]: the same with minor heaps of OCaml's usual size, as [parked] has them. *)

val rival_loops : (Contestant.t * Weft_bench_suites.Ways.for_) list
(** The loops of other libraries, as far as these are present, each to be called inside its contestant. *)

val rivals : Contestant.t list
(** Their pools. The work runs inside the pool, on one of its domains, and may not submit single tasks. *)

val rested : Contestant.t -> Contestant.t
(** [rested c] is [c] whose pool is prepared: before the work begins, all its domains have worked and have
    then been idle for 50 ms. *)
