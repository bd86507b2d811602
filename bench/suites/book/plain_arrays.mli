(** Functions on arrays of integers, in plain sequential code. *)

val filter : (int -> bool) -> int array -> int array
(** [filter p a] is the elements for which [p] is [true]. *)

val select : float array -> int array -> int -> int -> int -> unit
(** [select c order lo hi k] reorders [order] from index [lo] to [hi], so that [c.(order.(i))] is at most
    [c.(order.(k))] for every [i] before [k], and at least that for those after. Quickselect. *)

val radix_sort : key:(int -> int) -> int array -> int array
(** [radix_sort ~key a] is the elements in the order of their keys, which are not negative; equal ones stay in
    order. *)
