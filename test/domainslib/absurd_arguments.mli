(** Absurd arguments are refused in domainslib's words, or have a defined result; for every public function.
*)

val tests : unit Alcotest.test_case list
