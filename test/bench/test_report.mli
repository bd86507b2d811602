(** [scripts/bench]: the report is written whatever becomes of the steps before it. *)

val script : string ref
(** Where it is. *)

val tests : unit Alcotest.test_case list
