(** Small trees of forks, again and again: what the first forks and the last joins of a computation cost. The
    program is {!Fib}'s without a cutoff, as often as makes up two million forks in a run. *)

open Weft_bench_harness

val way : Contestant.t -> (int -> int) -> Benchmark.way
(** [way contestant fib] computes the number again and again by [fib]. *)

val benchmark : Benchmark.t
(** [small_trees]: the index of the number is 10 to 20. *)
