(** Timers: setting and cancelling them, many at once, and their lateness. *)

open Weft_bench_harness

val check_delays : int -> float array -> (unit, Benchmark.wrong) result
(** [check_delays n late] is right if there are [n] numbers and none is negative: no fiber has woken too
    early. *)

val benchmarks : Benchmark.t list
(** The group [timers]: [timers_timeout], timeouts around a function that returns at once; [timers_cancelled],
    100,000 sleeping fibers that are cancelled together; [timers_sleep], as many fibers that sleep at the same
    time and wake on time; [timers_late], sleeps of a millisecond one after the other, compared with those of
    the system. *)
