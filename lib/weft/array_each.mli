(** Loops over the elements of an array ([Weft.Array.iter] and its like); documented there. *)

val iter : ('a -> unit) -> 'a array -> unit
val iter_sub : ?pos:int -> ?len:int -> ('a -> unit) -> 'a array -> unit
val iteri : (int -> 'a -> unit) -> 'a array -> unit
val iteri_sub : ?pos:int -> ?len:int -> (int -> 'a -> unit) -> 'a array -> unit
val iter2 : ('a -> 'b -> unit) -> 'a array -> 'b array -> unit
val map_inplace : ('a -> 'a) -> 'a array -> unit
val map_inplace_sub : ?pos:int -> ?len:int -> ('a -> 'a) -> 'a array -> unit
val mapi_inplace : (int -> 'a -> 'a) -> 'a array -> unit
val mapi_inplace_sub : ?pos:int -> ?len:int -> (int -> 'a -> 'a) -> 'a array -> unit
