(** What is measured: sweeps, quick sizes, all benchmarks; and the expected duration. *)

val tests : unit Alcotest.test_case list
