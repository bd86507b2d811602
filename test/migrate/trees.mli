(** Which files are looked at. *)

val tests : unit Alcotest.test_case list
