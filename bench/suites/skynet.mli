(** Skynet: a tree of parties. Each starts ten others and answers the sum of their answers; those at the
    bottom answer their own number. In the original the parties are concurrent and answer through channels
    ([fibers]). *)

val expected : int -> int
(** [expected levels] is the sum of the numbers from 0 to [10 ** levels - 1]. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [skynet]: six levels, a million at the bottom. *)
