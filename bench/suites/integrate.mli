(** Adaptive quadrature: the integral of [(x * x + 1) * x] from 0, by trapezia that are halved until two
    halves differ from the whole by less than [1e-9]. The depth of the halving is not known beforehand and
    differs between intervals. *)

val exact : int -> float
(** [exact n] is the integral from 0 to [n]. *)

val check : int -> float -> (unit, Weft_bench_harness.Benchmark.wrong) result
(** [check n area] is right if [area] is [exact n] up to [1e-6 * n * n]: this allows for the error of all
    trapezia and for rounding. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [integrate]: from 0 to 10,000, without cutoff. *)
