(** The costs of the Datalog databases. *)

val tables : Table.t list

val tests : unit Alcotest.test_case list
(** For programs of many rules. *)
