(** The fast Fourier transform. By hand: with a cutoff, and the loops in blocks. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_fft]. *)
