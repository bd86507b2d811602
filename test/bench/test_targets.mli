(** Which rows a target chooses, and how it judges them. *)

val tests : unit Alcotest.test_case list
