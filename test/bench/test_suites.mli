(** The benchmarks themselves: check values, and every method at many small sizes. *)

val tests : unit Alcotest.test_case list
