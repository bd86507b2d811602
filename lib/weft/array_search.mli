(** The searching functions of [Weft.Array]; documented there. *)

val exists : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> bool
val for_all : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> bool
val for_none : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> bool
val mem : ?pos:int -> ?len:int -> 'a -> 'a array -> bool
val memq : ?pos:int -> ?len:int -> 'a -> 'a array -> bool
val find : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> 'a
val find_opt : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> 'a option
val find_index : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> int option
val find_map : ?pos:int -> ?len:int -> ('a -> 'b option) -> 'a array -> 'b option
val find_mapi : ?pos:int -> ?len:int -> (int -> 'a -> 'b option) -> 'a array -> 'b option
