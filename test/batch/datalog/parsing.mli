(** See {!Test_datalog}. *)

val tests : unit Alcotest.test_case list
