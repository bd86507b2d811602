(** The operations on batched structures in benchmarks, and that every wrong answer is found. *)

val tests : unit Alcotest.test_case list
