(** The types of domainslib's versions: the test is that this compiles. *)

val tests : unit Alcotest.test_case list
