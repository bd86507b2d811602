(** The command [weft bench]: exit codes, messages, and the JSON file. *)

val tests : unit Alcotest.test_case list
