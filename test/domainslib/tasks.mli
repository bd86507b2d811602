(** Tasks, loops and channels, where Weft does more than domainslib, or otherwise. *)

val tests : unit Alcotest.test_case list
