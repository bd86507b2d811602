(** What the batched structures cost. *)

val tables : Table.t list

val tests : unit Alcotest.test_case list
(** Of small priority queues. *)
