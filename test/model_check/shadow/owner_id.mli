(** [Weft_platform.Owner_id]. *)

type t

external of_block : 'a -> t = "%identity"
external of_int : int -> t = "%identity"
external is_int : t -> bool = "%obj_is_int"
external block : t -> 'a = "%identity"
