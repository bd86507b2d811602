(** Weft itself as a rival. The same programs, written with Weft's own functions and through the signature,
    show what the signature costs; and the tests check the laws of the signature with it. It takes no part in
    [weft bench]. *)

module Weft_rival : Rival.S
