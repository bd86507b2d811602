(** Restores the balance of a B-tree after changes of its leaves. Calls no client code.

    {b Cost.} In proportion to the nodes that it changes, and those above them. *)

open B_tree_node

type ('k, 'v) dirty = {
  path : int;  (** of a leaf *)
  extra : ('k * ('k, 'v) node) array;  (** new leaves to its right, each with its separator *)
}
(** What the parent of a changed leaf must know: there are new leaves beside it, or it may have become weak.
*)

val repair : both:((unit -> unit) -> (unit -> unit) -> unit) -> ('k, 'v) tree -> ('k, 'v) dirty array -> unit
(** [repair ~both t dirty] restores the balance of [t] after changes of the leaves in [dirty], listed from
    left to right. Each node takes in its new children, merges weak ones with their neighbours, and is split
    into as many nodes as needed; the root grows or shrinks by any number of levels. [both f g] must call [f]
    and [g], perhaps at the same time: they work on disjoint subtrees.

    O(d h) steps for [d] dirty leaves and [h] levels, and O(1) for each new leaf. *)

val sequentially : (unit -> unit) -> (unit -> unit) -> unit
(** Calls one after the other; can be given as [both]. *)
