(** Timers: setting, cancelling, many at once, and how late they are. *)

open Weft_bench_harness

val check_delays : int -> float array -> (unit, Benchmark.wrong) result
(** [check_delays n late] is right if there are [n] numbers and none is negative: nobody has woken before the
    time. *)

val benchmarks : Benchmark.t list
(** The group [timers]: [timers_timeout], timeouts around a function that returns at once; [timers_cancelled],
    100,000 fibers that sleep and are cancelled together; [timers_sleep], as many that sleep at once and wake
    in their time; [timers_late], sleeps of a millisecond one after the other, beside the system's. *)
