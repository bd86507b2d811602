(** The figures that are computed from measurements, and the order of measuring. *)

val tests : unit Alcotest.test_case list
