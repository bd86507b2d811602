(** Satisfiability, by Davis, Putnam, Logemann and Loveland. The best sequential program has the same steps.
    By hand: in parallel down to a depth of 8. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_satisfiability]. *)
