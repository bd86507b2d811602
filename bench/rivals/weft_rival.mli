(** Weft itself, seen as a rival: the same programs, written with its own functions and through the signature,
    show what the signature costs; and the laws of the signature are tried on it. It takes no part in
    [weft bench]. *)

module Weft_rival : Rival.S
