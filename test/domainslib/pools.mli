(** Pools, where Weft's do more than domainslib's. *)

val tests : unit Alcotest.test_case list
