(** The product of two matrices by divide and conquer: the greatest of the three dimensions is halved, until
    all are small. Parts of the rows or the columns of the result are independent; the halves of a sum are
    added one after the other. It does not depend on the sizes of caches (Frigo, Leiserson, Prokop and
    Ramachandran, Cache-oblivious algorithms, FOCS 1999). *)

type input = { n : int; a : floatarray; b : floatarray; c : floatarray }
(** Three matrices of [n] by [n], row after row. *)

val make : int -> input
(** [make n] has random numbers from 0 to 1 in [a] and [b], and zeros in [c]. *)

val check : input -> (unit, Weft_bench_harness.Benchmark.wrong) result
(** [check t] is right if [t.c] is the product of [t.a] and [t.b], up to rounding. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [matmul_rec]: 1024 by 1024 with cutoff 64. Without cutoff 256 by 256. *)
