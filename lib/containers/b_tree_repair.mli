(** Restores the balance of a B-tree after changes of its leaves. Calls no client code.

    {b Cost.} That of the nodes that it changes, and of those above them. *)

open B_tree_node

type ('k, 'v) dirty = {
  path : int;  (** of a leaf *)
  extra : ('k * ('k, 'v) node) array;  (** new leaves to its right, each with its separator *)
}
(** What has happened to a leaf that its parent must be told: there are new leaves beside it, or it may have
    become weak. *)

val repair : both:((unit -> unit) -> (unit -> unit) -> unit) -> ('k, 'v) tree -> ('k, 'v) dirty array -> unit
(** [repair ~both t dirty] restores the balance of [t] after changes of the leaves in [dirty], listed from
    left to right: each node takes in the new children of its own, merges weak ones with their neighbours, and
    is split into as many nodes as needed; the root grows or shrinks by any number of levels. [both f g] must
    call [f] and [g], perhaps at the same time: they work on disjoint subtrees.

    O(d h) steps for [d] dirty leaves and [h] levels, and O(1) for each new leaf. *)

val sequentially : (unit -> unit) -> (unit -> unit) -> unit
(** One after the other: for [both]. *)
