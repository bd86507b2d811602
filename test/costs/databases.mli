(** What the Datalog databases cost. *)

val tables : Table.t list

val tests : unit Alcotest.test_case list
(** Of programs of many rules. *)
