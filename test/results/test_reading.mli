(** Reading files of results: what is right, and everything that is not. *)

val tests : unit Alcotest.test_case list
