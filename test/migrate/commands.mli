(** The command: what it prints and writes, and its exit codes. *)

val tests : unit Alcotest.test_case list
