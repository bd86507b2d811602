(** The command [weft plot]: what it writes, and what it refuses. *)

val tests : unit Alcotest.test_case list
