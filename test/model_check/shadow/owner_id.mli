(** [Weft_platform.Owner_id]. *)

type t

external of_block : 'a -> t = "%identity"
external of_int : int -> t = "%identity"
