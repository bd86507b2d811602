(** The Mandelbrot set, as a map of expensive elements. The best sequential program has the same steps. By
    hand: in chunks of 64. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_mandelbrot]. *)
