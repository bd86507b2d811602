(** Which rows a target chooses, and how they are judged. *)

val tests : unit Alcotest.test_case list
