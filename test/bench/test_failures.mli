(** Benchmarks that fail: who goes on, and what is kept. *)

val tests : unit Alcotest.test_case list
