(** A loop whose iterations take from some hundred nanoseconds to some hundred milliseconds; the long ones are
    next to each other: [fib] of 10, 11, ..., 39, again and again. *)

val argument : int -> int
(** [argument i] is the number whose [fib] iteration [i], from 1, computes: 10 + ((i - 10) mod 30), with the
    mathematical [mod], so that the first iterations also compute [fib] of 10 or more (of 31 to 39). *)

val loop : Ways.loop
(** The program, for any loop. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [for_irregular]: 60 iterations, each number twice. *)
