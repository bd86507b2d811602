(** Absurd arguments: refused in domainslib's words, or answered; for every public function. *)

val tests : unit Alcotest.test_case list
