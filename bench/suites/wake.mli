(** How long it takes from handing over a job until it starts, when all who could run it sleep. *)

open Weft_bench_harness

val check : int -> float array -> (unit, Benchmark.wrong) result
(** [check n delays] is right if there are [n] delays and all are times that have passed. *)

val benchmark : Benchmark.t
(** [wake]: 2,000 jobs from outside the pool, each half a millisecond after the end of the one before; so the
    time of a run is that of the pauses. A pool of one domain has none that sleeps, and makes one for each
    job. The threads of [threads] wait at a condition variable, one in each domain but the caller's; on one
    domain, there is one in the same. *)
