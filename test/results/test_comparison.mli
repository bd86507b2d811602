(** What [weft compare] finds, and baselines. *)

val tests : unit Alcotest.test_case list
