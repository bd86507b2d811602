(** Benchmarks that fail: which others go on, and which results are kept. *)

val tests : unit Alcotest.test_case list
