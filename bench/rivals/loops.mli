(** The programs made of loops: [iota], [for_irregular], [lu], [matmul]; [reduce], [primes]; [scan]; and short
    loops. *)

module Make (_ : Entered.S) : sig
  val ways : (string * Weft_bench_harness.Benchmark.way) list
  (** The rival's ways, by the names of the benchmarks. The cutoff is the chunk size of its loops. *)
end
