(** The keys of operations: in which pattern they come. *)

(** How the positions follow each other in the range of keys. *)
type pattern =
  | Uniform
  | Ascending  (** evenly spread, from the least to the greatest *)
  | Descending
  | Equal  (** all the same, in the middle *)
  | Zipf
      (** the [k]th most frequent position comes 1/k{^ 0.99} times as often as the first; positions are
          scattered over the range *)

val name : pattern -> string
(** [name p] is the name of the constructor, in lower case. *)

val positions : pattern -> Random.State.t -> range:int -> count:int -> int -> int
(** [positions p random ~range ~count] is a function that returns the [i]th position, from 0 to [range - 1].
    It must be called for [i] from 0 to [count - 1] in this order. [range] is at most 2{^ 30}. *)

val spread : Random.State.t -> range:int -> int -> int array
(** [spread random ~range n] are [n] different keys below [range] in ascending order: a random one in each of
    [n] equal parts of the range. [n] must be at most [range]. *)

val order : int array -> int array
(** [order keys] are the indices of [keys], which are not negative, sorted by key and, for equal keys, by
    index. A counting sort by eleven bits at a time: O(length) for keys of bounded size. *)
