(** The changes of [dune] files. *)

val tests : unit Alcotest.test_case list
