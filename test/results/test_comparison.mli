(** The findings of [weft compare], and baselines. *)

val tests : unit Alcotest.test_case list
