(** The test of Mann and Whitney, compared with tables, another program, and plain counting. *)

val tests : unit Alcotest.test_case list
