val tests : (Reader.t -> string -> unit) -> unit Alcotest.test_case list
(** [tests check], where [check] raises [Failure] if a reader does with a text what it must not do. *)
