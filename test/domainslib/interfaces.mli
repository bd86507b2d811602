(** The types of domainslib's versions: that this compiles is the test of them. *)

val tests : unit Alcotest.test_case list
