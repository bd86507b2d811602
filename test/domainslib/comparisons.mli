(** [weft bench compat], with shell scripts for the programs. *)

val tests : unit Alcotest.test_case list
