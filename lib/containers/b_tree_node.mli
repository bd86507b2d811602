(** The nodes of B-trees: how they are laid out, split, merged and repaired. Nothing here calls client code;
    {!B_tree} does the searching, which compares keys.

    {b Leaves} hold all bindings, up to {!width} each, in any order; one integer holds the order (Mao, Kohler
    and Morris, Cache craftiness for fast multicore key-value storage, EuroSys 2012). So an insertion writes
    two array cells. In sorted arrays it would move half a leaf, and run the collector's write barrier for
    every cell.

    {b Inner nodes} have up to {!fanout} children and, between them, separators: a separator is not greater
    than any key below the child to its right, and greater than all keys below the child to its left. It may
    be a key that is no longer bound.

    {b Balance}: all leaves are at the same depth. A node other than the root has at least {!least_leaf}
    bindings or {!least_inner} children; the root has at least two children if it is not a leaf. These bounds
    are below half of the upper ones, so that a node just split is not soon merged, and one just merged is not
    soon split.

    {b A path} identifies a leaf by the numbers of the children that lead to it, {!path_bits} bits each, the
    root's uppermost. Paths of leaves increase from left to right.

    {b Cost.} O(1), since a node has a bounded number of places. *)

type ('k, 'v) node = {
  mutable n : int;  (** how many bindings, or children *)
  mutable order : int;
      (** of a leaf: the [i]th group of four bits holds the place of the [i]th smallest key in the arrays; the
          groups behind the first [n] hold the free places. Of an inner node: -1 *)
  mutable keys : 'k array;
      (** of a leaf: {!width} places, or none if the leaf is empty; the free ones all repeat one binding of
          the leaf, so that they keep nothing alive. Of an inner node: the separators, one less than children
      *)
  mutable values : 'v array;  (** of a leaf, in the places of its keys *)
  mutable children : ('k, 'v) node array;  (** of an inner node *)
}

type ('k, 'v) tree = {
  mutable root : ('k, 'v) node;
  mutable height : int;  (** 0 if the root is a leaf *)
  mutable length : int;  (** how many bindings there are *)
  mutable path : int;  (** of the leaf that the last descent for a change reached *)
}

val width : int
val fanout : int
val least_leaf : int
val least_inner : int
val path_bits : int
val empty : unit -> ('k, 'v) tree
val is_leaf : ('k, 'v) node -> bool

(** {1 Leaves}

    A position is the number of a binding in the order of the keys. All functions are O({!width}) at most. *)

val slot : int -> int -> int
(** [slot order p] is the place in the arrays of position [p]. *)

val key_at : ('k, 'v) node -> int -> 'k
val value_at : ('k, 'v) node -> int -> 'v
val set_key : ('k, 'v) node -> int -> 'k -> unit
val set_value : ('k, 'v) node -> int -> 'v -> unit

val insert_at : ('k, 'v) node -> int -> 'k -> 'v -> unit
(** [insert_at leaf p k v] puts a binding before position [p]. The leaf must not be full. *)

val remove_at : ('k, 'v) node -> int -> unit

val split_insert : ('k, 'v) node -> int -> 'k -> 'v -> ('k * ('k, 'v) node) array
(** [split_insert leaf p k v] is {!insert_at} for a full leaf. Its upper part becomes a new leaf, which is
    returned with its separator. If [p] is at either end, the split is uneven, so that ascending and
    descending insertions leave leaves two thirds full. *)

val leaf_of_range : 'k array -> 'v array -> int -> int -> ('k, 'v) node
(** [leaf_of_range keys values first count] is a new leaf with that range of bindings, which must be sorted;
    [1 <= count <= width]. *)

val become : ('k, 'v) node -> ('k, 'v) node -> unit
(** [become a b] gives leaf [a] the contents of [b], which must not be used any more. *)

val parts : total:int -> most:int -> int
(** [parts ~total ~most] is into how many nodes to cut [total] bindings or children, if one node takes [most]:
    one if they fit, else enough to leave a quarter of each free. *)

val part_start : total:int -> parts:int -> int -> int
(** [part_start ~total ~parts i] is where part [i] begins, [0 <= i <= parts]; parts differ by one at most. *)

(** {1 Inner nodes} *)

val inner_of_range : 'k array -> ('k, 'v) node array -> int -> int -> ('k, 'v) node
(** [inner_of_range separators children first count] is a new node with [count] children from the [first]th
    on; the [i]th separator follows the [i]th child. [2 <= count <= fanout]. *)

val insert_child : ('k, 'v) node -> int -> 'k -> ('k, 'v) node -> unit
(** [insert_child node i separator child] puts [child] behind the [i]th one. There must be room. *)

val is_weak : ('k, 'v) node -> bool
(** Whether a node is too small, unless it is the root. *)

val mend : ('k, 'v) node -> int -> unit
(** [mend node i] merges child [i] of [node] with neighbours, or moves some of their bindings or children to
    it, until it is no longer weak. If it ends as the only child, it may be weak, and [node] is weak itself.
    Children on the left of [i - 1] keep their numbers.

    Of the other children, only the last one and those on the left of [i] may be weak; a child of a child may
    be weak only if it is an only child. *)
