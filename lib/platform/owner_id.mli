(** What tells one thing from all others: a block by where it is, or a number. *)

type t
(** Compare physically. *)

external of_block : 'a -> t = "%identity"
(** Of a mutable record, which stays reachable as long as the identity does. *)

external of_int : int -> t = "%identity"
