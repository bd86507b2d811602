(** The first step of a batch on a B-tree ({!B_tree_batch}): finds where each operation's key belongs, and
    sorts the batch. *)

open Weft_containers.B_tree_node

type ('op, 'k, 'v) t = {
  tree : ('k, 'v) tree;
  ops : 'op array;
  number_bits : int;
  sorted : int array;
  nodes : ('k, 'v) node array array;  (** the leaves of the operations, by number, in blocks *)
  starts : Bytes.t;  (** for each element of [sorted]: 1 if its key is another than the one before *)
}
(** Operations with keys, located. [sorted] lists them in the order of their keys, those on the same key in
    the order of arrival. Of the operation's number, which is its index in [ops], the lowest bits of an
    element of [sorted] tell; the others tell its rank: the path of its leaf, then its place there: twice the
    position of the key plus 1, or twice the position where it would be inserted. *)

val block : int
(** So many operations are located, or applied, by one task at least. *)

val for_blocks : int -> (int -> int -> unit) -> unit
(** [for_blocks n body] calls [body lo hi] for each block, from [lo] to [hi - 1], of the numbers below [n];
    perhaps in parallel. Every [lo] is a multiple of {!block}. *)

(** {1 Of the [j]th element of [sorted]} *)

val number : ('op, 'k, 'v) t -> int -> int
val path : ('op, 'k, 'v) t -> int -> int
val place : ('op, 'k, 'v) t -> int -> int
val leaf : ('op, 'k, 'v) t -> int -> ('k, 'v) node
val starts : ('op, 'k, 'v) t -> int -> bool

module Make (Key : Weft_containers.Maps.ORDERED) : sig
  val locate : key:('op -> Key.t) -> (Key.t, 'v) tree -> 'op array -> ('op, Key.t, 'v) t
  (** Changes nothing in the tree, and raises what [Key.compare] raises. For [m] operations, O(m log n)
      comparisons; where [d] new keys fall between the same two neighbours, another O(d log d). *)
end
