(** What is said of OCaml files. *)

val tests : unit Alcotest.test_case list
