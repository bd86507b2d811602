(** The sum of an array of floats. *)

type reduction = start:int -> finish:int -> body:(int -> float) -> (float -> float -> float) -> float -> float
(** A loop over [start] to [finish] (included) whose body's results are combined, and with a neutral element.
*)

val by :
  Weft_bench_harness.Contestant.t ->
  (Weft_bench_harness.Benchmark.params -> reduction) ->
  Weft_bench_harness.Benchmark.way
(** [by contestant reduce] is the program with the loop [reduce params]. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [reduce]: 100,000,000 elements, 800 MB. *)
