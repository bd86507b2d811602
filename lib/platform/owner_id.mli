(** Identities: a block, compared by its address, or a number. *)

type t
(** Compare physically. *)

external of_block : 'a -> t = "%identity"
(** Of a mutable record, which stays reachable as long as the identity does. *)

external of_int : int -> t = "%identity"
external is_int : t -> bool = "%obj_is_int"

external block : t -> 'a = "%identity"
(** What {!of_block} was given; the caller says of which type. *)
