(** Tests that may hang. *)

val case : string -> (unit -> unit) -> unit Alcotest.test_case
(** [case name f] is the test [f]. If it takes more than five minutes, the whole program ends, and says where.
*)
