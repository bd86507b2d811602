(** The costs of the batched structures. *)

val tables : Table.t list

val tests : unit Alcotest.test_case list
(** For small priority queues. *)
