(** What a change costs, in words allocated. *)

val tests : unit Alcotest.test_case list
