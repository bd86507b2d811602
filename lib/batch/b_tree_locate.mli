(** The first step of a batch on a B-tree ({!B_tree_batch}): it finds the place of each operation's key, and
    sorts the batch. *)

open Weft_containers.B_tree_node

type ('op, 'k, 'v) t = {
  tree : ('k, 'v) tree;
  ops : 'op array;
  number_bits : int;
  sorted : int array;
  nodes : ('k, 'v) node array array;  (** the leaves of the operations, by number, in blocks *)
  starts : Bytes.t;  (** for each element of [sorted]: 1 if its key differs from the one before *)
}
(** Operations with keys, located. [sorted] lists them in the order of their keys, those on the same key in
    the order of arrival. The lowest bits of an element of [sorted] are the operation's number, which is its
    index in [ops]; the other bits are its rank: the path of its leaf, then its place there. The place is
    twice the position of the key plus 1, or twice the position where it would be inserted. *)

val block : int
(** One task locates, or applies, at least so many operations. *)

val for_blocks : int -> (int -> int -> unit) -> unit
(** [for_blocks n body] calls [body lo hi] for each block, from [lo] to [hi - 1], of the numbers below [n];
    perhaps in parallel. Every [lo] is a multiple of {!block}. *)

(** {1 The parts of the [j]th element of [sorted]} *)

val number : ('op, 'k, 'v) t -> int -> int
val path : ('op, 'k, 'v) t -> int -> int
val place : ('op, 'k, 'v) t -> int -> int
val leaf : ('op, 'k, 'v) t -> int -> ('k, 'v) node
val starts : ('op, 'k, 'v) t -> int -> bool

module Make (Key : Weft_containers.Maps.ORDERED) : sig
  val locate : key:('op -> Key.t) -> (Key.t, 'v) tree -> 'op array -> ('op, Key.t, 'v) t
  (** Changes nothing in the tree, and raises what [Key.compare] raises. For [m] operations, O(m log n)
      comparisons; if [d] new keys fall between the same two neighbours, O(d log d) more. *)
end
