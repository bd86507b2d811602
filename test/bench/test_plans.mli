(** What is measured: sweeps, quick sizes, all benchmarks; and how long it will take. *)

val tests : unit Alcotest.test_case list
