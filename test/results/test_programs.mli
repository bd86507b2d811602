(** [weft compare], [weft convert] and the files of [weft bench], used as a user does. *)

val baseline : string ref
(** The stored baseline. *)

val tests : unit Alcotest.test_case list
