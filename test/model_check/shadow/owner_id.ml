(* A word that the collector understands whatever it is, and that nobody looks into. *)
type t = Obj.t

external of_block : 'a -> t = "%identity"
external of_int : int -> t = "%identity"
external is_int : t -> bool = "%obj_is_int"
external block : t -> 'a = "%identity"
