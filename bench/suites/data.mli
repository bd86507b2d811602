(** The group [data]: functions on large arrays, lists, bigarrays, sequences and files, each beside the plain
    loop that a user would write. *)

val benchmarks : Weft_bench_harness.Benchmark.t list

(** {1 Two random numbers for each element} *)

type sums_of_two = {
  sums : float array;  (** for each element, the sum of its two numbers *)
  again : unit -> int -> float;
      (** [again ()] is asked for the elements one after the other, from 0 on, and draws their numbers again
      *)
}

val of_generators : int -> sums_of_two
(** [of_generators size]: element [i] draws from the [i]th generator of [Weft.Random.at]; in parallel. *)

val number_right : sums_of_two -> int
(** How many sums are those that are drawn again, bit for bit. *)
