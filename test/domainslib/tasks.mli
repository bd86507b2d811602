(** Tasks, loops and channels, where Weft does more than domainslib, or something else. *)

val tests : unit Alcotest.test_case list
