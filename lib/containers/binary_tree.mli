(** The nodes of binary search trees, and the functions that do not depend on how the trees are balanced.

    A node takes six words, as one of [Stdlib.Map] does: one word holds both the size of the tree and what the
    kind of tree stores in a node (its height, its colour, its priority).

    {b Cost.} As each function says; {!own} is O(1). *)

type ('k, 'v) t =
  | Leaf
  | Node of { left : ('k, 'v) t; key : 'k; value : 'v; right : ('k, 'v) t; note : int }
      (** [note]: the size of this tree times [2^own_bits], plus {!own}. *)

val own_bits : int
(** 28, so sizes can be up to [2^35], more than memory holds. *)

val own : ('k, 'v) t -> int
(** What the kind of tree stores in the root, from 0 to [2^own_bits - 1]; 0 for a [Leaf]. *)

val length : ('k, 'v) t -> int
(** O(1), as are the following two. *)

val node : int -> ('k, 'v) t -> 'k -> 'v -> ('k, 'v) t -> ('k, 'v) t
(** [node own l k v r] is a node whose {!own} is [own]. It is not balanced. *)

val expose : ('k, 'v) t -> ('k, 'v, ('k, 'v) t) Persistent.view
val min_binding_opt : ('k, 'v) t -> ('k * 'v) option

val max_binding_opt : ('k, 'v) t -> ('k * 'v) option
(** O(height). *)

val iter : ('k -> 'v -> unit) -> ('k, 'v) t -> unit
(** O(n), in increasing order of keys, like the following two. *)

val fold : ('k -> 'v -> 'acc -> 'acc) -> ('k, 'v) t -> 'acc -> 'acc

val to_seq : ('k, 'v) t -> ('k * 'v) Seq.t
(** O(height) for the first element, O(1) amortised for the next one. *)

(** Searches: each makes O(height) comparisons. *)
module Searches (Key : Maps.ORDERED) : sig
  val mem : (Key.t, 'v) t -> Key.t -> bool
  val find_opt : (Key.t, 'v) t -> Key.t -> 'v option

  val succ : (Key.t, 'v) t -> Key.t -> (Key.t * 'v) option
  (** See {!Persistent.TREE}. *)

  val pred : (Key.t, 'v) t -> Key.t -> (Key.t * 'v) option
  val warm : (Key.t, 'v) t -> change:bool -> int -> (int -> Key.t) -> unit

  val check : (Key.t, 'v) t -> unit
  (** For tests. O(n).
      @raise Failure if keys are out of order or a size is wrong. *)
end
