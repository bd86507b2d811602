(** The test of Mann and Whitney against tables, another program, and plain counting. *)

val tests : unit Alcotest.test_case list
