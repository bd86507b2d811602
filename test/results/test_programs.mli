(** [weft compare], [weft convert] and the files of [weft bench], as a user calls them. *)

val baseline : string ref
(** The stored baseline. *)

val tests : unit Alcotest.test_case list
