(** What pools cost while they have little or nothing to do. *)

open Weft_bench_harness

val idle_cpu : Benchmark.t
(** [idle_cpu]: does nothing for so many milliseconds, beside a pool that has worked before. *)

val idle_slowdown : Benchmark.t
(** [idle_slowdown]: the tasks of {!Loads.alloc} one after the other, alone and beside a pool that idles. *)

val burst_after_250ms : Benchmark.t
(** [burst_after_250ms]: eight short tasks submitted together, again and again, each time after a pause. The
    submitter does not take part. *)

val burst_after_1ms : Benchmark.t
(** [burst_after_1ms]: the same after a short pause. *)

val every_ms : Benchmark.t
(** [every_ms]: a task that does next to nothing, submitted every millisecond; with [no-pool] the submitter
    calls it, so that the difference is what the pool costs. *)
