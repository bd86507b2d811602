(** The notes on OCaml files. *)

val tests : unit Alcotest.test_case list
