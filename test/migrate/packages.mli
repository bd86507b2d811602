(** The changes of [dune-project] and [opam] files. *)

val tests : unit Alcotest.test_case list
