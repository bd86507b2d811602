(** The benchmarks themselves: check values, and what they are made of. *)

val tests : unit Alcotest.test_case list
