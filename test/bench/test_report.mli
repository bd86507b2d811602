(** [scripts/bench]: the report is written even if earlier steps fail. *)

val script : string ref
(** The script's path. *)

val tests : unit Alcotest.test_case list
