(** Which files are analysed. *)

val tests : unit Alcotest.test_case list
