(** What becomes of [dune] files. *)

val tests : unit Alcotest.test_case list
