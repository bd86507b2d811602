(** Programs of 256 equal tasks of about a millisecond, for every kind of pool: one allocates, the other does
    not. *)

open Weft_bench_harness

val alloc : Benchmark.t
(** [alloc]: the tasks build lists and trees, and add them up. *)

val compute : Benchmark.t
(** [compute]: the tasks take steps of a generator of pseudo-random numbers. *)

(** {1 Parts of them} *)

val alloc_in_a_row : int -> int
(** [alloc_in_a_row n] calls [n] tasks of {!alloc} one after the other, without any pool. *)

val check_alloc : int -> int -> (unit, Benchmark.wrong) result
(** [check_alloc n sum] is right if [sum] is the result of [n] tasks of {!alloc}, which a formula gives. *)

val check_compute : int -> int -> (unit, Benchmark.wrong) result
(** [check_compute n sum] is the same for {!compute}. *)
