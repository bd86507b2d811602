(** What is left of a run of the program [weft] that is interrupted. *)

val program : string ref
(** Where the program is. *)

val tests : unit Alcotest.test_case list
