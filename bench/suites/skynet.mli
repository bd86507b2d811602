(** Skynet: each of a tree of parties makes ten others and passes on the sum of what they answer; those at the
    bottom answer their own number. As it became known, the parties are concurrent and answer through channels
    ([fibers]). *)

val expected : int -> int
(** [expected levels] is the sum of the numbers from 0 to [10 ** levels - 1]. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [skynet]: six levels, a million at the bottom. *)
