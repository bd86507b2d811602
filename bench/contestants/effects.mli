(** The smallest scheduler on effect handlers: one queue of fibers, in one thread. It shows what a switch
    costs without locks, other domains, promises and cancellation. *)

val contestant : Weft_bench_harness.Contestant.t
(** [effects], a plain program. *)

val run : (unit -> unit) list -> unit
(** [run parties] calls every party in a fiber of its own, and returns when all have returned. The parties
    must not raise. *)

val yield : unit -> unit
(** [yield ()] lets the other fibers of the innermost {!run} run first. *)
