(** Identities: a block, compared by its address, or a number. *)

type t
(** Compare physically. *)

external of_block : 'a -> t = "%identity"
(** Of a mutable record, which stays reachable as long as the identity does. *)

external of_int : int -> t = "%identity"
