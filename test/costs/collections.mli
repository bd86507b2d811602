(** What the parallel collections cost. *)

val tables : Table.t list

val tests : unit Alcotest.test_case list
(** Of sequences that are made of many. *)
