(** LU decomposition without pivoting: many short loops, one for each row, which must run one after the other.
*)

val relative_error : original:float array array -> float array array -> float
(** [relative_error ~original a] is how far the product of the triangles in [a] (the lower one with ones on
    its diagonal) is from [original]: the greatest difference of two elements over the greatest element. *)

val loop : Ways.loop
(** The program, for any loop. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [lu]: 2 matrices of 700 by 700. *)
