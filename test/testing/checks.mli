(** Alcotest, whose [check] tasks may call in several domains: Alcotest says what it checks by [Format], which
    is not made for that. *)
module Alcotest : module type of struct
  include Alcotest
end
