(** Reading files of results: correct ones, and every kind of error. *)

val description : string ref
(** The page that lists the keys. *)

val tests : unit Alcotest.test_case list
