(** The number of primes below a number, by testing every number separately. *)

val is_prime : int -> bool
(** [is_prime n] tries the divisors up to the root of [n]. *)

val below : int -> int
(** [below n] is the number of primes below [n], by the sieve of Eratosthenes. *)

type reduction = start:int -> finish:int -> body:(int -> int) -> (int -> int -> int) -> int -> int
(** A loop over [start] to [finish] (included) whose body's results are combined, and with a neutral element.
*)

val by :
  Weft_bench_harness.Contestant.t ->
  (Weft_bench_harness.Benchmark.params -> reduction) ->
  Weft_bench_harness.Benchmark.way
(** [by contestant reduce] is the program with the loop [reduce params]. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [primes]: below 10,000,000. *)
