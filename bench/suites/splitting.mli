(** The random numbers of the unbalanced tree search: every node of a tree has a state of 20 bytes, and the
    state of its child [i] is the SHA-1 hash of that state and of [i]. So any domain can make any part of the
    tree, which is always the same. *)

type t
(** A state. *)

val root : int -> t
(** [root seed] is the state of the root: the hash of 16 zero bytes and of [seed], from 0 to [2^31 - 1], in
    four bytes, the high one first. *)

val child : t -> int -> t
(** [child state i] is the state of child [i], from 0: the hash of [state] and of [i] in four bytes. Takes
    some 80 steps of a dozen instructions; allocates only the result. *)

val random : t -> int
(** [random state] is the last 31 bits of [state]. *)

val to_hex : t -> string
(** [to_hex state] is [state] in 40 hexadecimal digits. *)
