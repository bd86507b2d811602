(** The costs of the parallel collections. *)

val tables : Table.t list

val tests : unit Alcotest.test_case list
(** For sequences that consist of many. *)
