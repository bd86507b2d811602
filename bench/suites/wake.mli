(** The time from handing over a job until it starts, when all workers that could run it sleep. *)

open Weft_bench_harness

val check : int -> float array -> (unit, Benchmark.wrong) result
(** [check n delays] is right if there are [n] delays and none is negative or missing. *)

val benchmark : Benchmark.t
(** [wake]: 2,000 jobs from outside the pool, each half a millisecond after the end of the one before; so the
    pauses set the time of a run. A pool of one domain has no sleeping domain and starts one for each job. The
    threads of [threads] wait at a condition variable, one in each domain but the caller's; on one domain,
    there is one thread in the caller's domain. *)
