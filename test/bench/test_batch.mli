(** That batched structures are measured as described, and every wrong answer is found. *)

val tests : unit Alcotest.test_case list
