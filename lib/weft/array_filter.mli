(** The functions of [Weft.Array] whose result has fewer elements than the array, on {!Sieve}; documented
    there. *)

val filter : ('a -> bool) -> 'a array -> 'a array
val filteri : (int -> 'a -> bool) -> 'a array -> 'a array
val pack : bool array -> 'a array -> 'a array
val pack_index : bool array -> int array
val partition : ('a -> bool) -> 'a array -> 'a array * 'a array
val filter_map : ('a -> 'b option) -> 'a array -> 'b array

val pick : Sieve.t -> 'a array -> Bytes.t -> char -> start:(int -> int -> int) -> total:int -> 'a array
(** [pick sieve a flags which ~start ~total] has the [total] elements of [a] whose flag is [which], in order;
    [start k first] of them lie before block [k], which begins at [first]. *)
