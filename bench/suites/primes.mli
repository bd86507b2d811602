(** How many primes there are below a number, by trying every number on its own. *)

val is_prime : int -> bool
(** [is_prime n] tries the divisors up to the root of [n]. *)

val below : int -> int
(** [below n] is the number of primes below [n], by the sieve of Eratosthenes. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [primes]: below 10,000,000. *)
