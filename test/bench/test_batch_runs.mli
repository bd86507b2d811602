(** The benchmarks of batched structures, with every method. *)

val tests : unit Alcotest.test_case list
