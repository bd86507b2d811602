val tests : string -> unit Alcotest.test_case list
(** [tests weft], with the path of the program. *)
