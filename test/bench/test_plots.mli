(** The drawings, and how names are written. *)

val tests : unit Alcotest.test_case list
