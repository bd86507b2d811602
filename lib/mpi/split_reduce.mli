(** {!Weft_loops.Reduce} over an array that is divided between ranks at any place: the tree, and so the bits,
    are those of the whole array. *)

val map_reduce :
  who:string -> World.t -> length:int -> first:int -> ('a -> 'b) -> ('b -> 'b -> 'b) -> 'b -> 'a array -> 'b
(** [map_reduce ~who w ~length ~first f combine init block] is [combine init v], where [v] is the value of the
    tree for all [length] elements, of which there is at least one. Each rank gives a block of neighbours, the
    first of which is element [first]. Each rank combines what all have given; if that fails on one of them,
    all raise. *)
