(** Reading files of results: what is right, and everything that is not. *)

val description : string ref
(** The page that lists the keys. *)

val tests : unit Alcotest.test_case list
