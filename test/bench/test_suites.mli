(** The benchmarks themselves: their check values, and their parts. *)

val tests : unit Alcotest.test_case list
