(** The programs made of loops: [iota], [for_irregular], [lu], [matmul]; [reduce], [primes]; [scan]. *)

module Make (_ : Entered.S) : sig
  val ways : (string * Weft_bench_harness.Benchmark.way) list
  (** Benchmarks by name, and how the rival solves them. The cutoff is the chunk size of its loops. *)
end
