(** What a run of the program [weft] leaves when it is interrupted. *)

val program : string ref
(** The program's path. *)

val tests : unit Alcotest.test_case list
