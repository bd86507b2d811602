(** Where operations go: the patterns of their keys. *)

(** An order of positions in the range of keys. *)
type pattern =
  | Uniform
  | Ascending  (** from the least to the greatest, evenly *)
  | Descending
  | Equal  (** all the same, in the middle *)
  | Zipf  (** the [k]th most frequent 1/k{^ 0.99} times as often as the first, and scattered over the range *)

val name : pattern -> string
(** [name p] is that of the constructor, in lower case. *)

val positions : pattern -> Random.State.t -> range:int -> count:int -> int -> int
(** [positions p random ~range ~count] is the function from [i], for [i] from 0 to [count - 1] in order, to
    the [i]th position, from 0 to [range - 1]. [range] is at most 2{^ 30}. *)

val spread : Random.State.t -> range:int -> int -> int array
(** [spread random ~range n] are [n] different keys below [range] in ascending order: one at random in each of
    [n] equal parts of the range. [n] must be at most [range]. *)

val order : int array -> int array
(** [order keys] are the indices of [keys], which are not negative, sorted by key and, for equal keys, by
    index. By counting sort of eleven bits at a time: O(length) for keys of bounded size. *)
