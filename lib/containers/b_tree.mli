(** Mutable maps as B+ trees (Bayer and McCreight, Organization and maintenance of large ordered indexes,
    1972; Comer, The ubiquitous B-tree, 1979): all bindings in the leaves, up to 15 each; inner nodes of up to
    32 children. How nodes are laid out: {!B_tree_node}.

    A search visits about [log n / 4.5] nodes and compares keys about [log n] times (logarithms to base 2).
    Changes write to a few words of one leaf, and now and then to its parent: they allocate next to nothing,
    and keep the collector's work small, where balanced binary trees replace a path of nodes or rotate.

    Keys that have been unbound may be kept alive by the tree, as separators, fewer than one for four
    bindings; values are not.

    If [Key.compare] raises, so does the function that called it, and nothing has changed. One thread at a
    time; functions given to [update], [iter] and [fold] must not change the map.

    {b Cost}, for n bindings: each function is O(log n), unless it says otherwise; [iter], [fold] and the
    whole of [to_seq] are O(n). *)

module Make (Key : Maps.ORDERED) : sig
  include Maps.ORDERED_MAP with type key = Key.t and type 'v t = (Key.t, 'v) B_tree_node.tree

  (** [length] is O(1); [mem], [find_opt], [add], [remove], [update], [min_binding_opt], [max_binding_opt],
      [succ] and [pred] are O(log n); [iter], [fold] and the whole of [to_seq] are O(n). [add] leaves the key
      in place if it is bound already. *)

  val create : unit -> 'v t
  (** An empty map. O(1). *)

  val check : 'v t -> unit
  (** For tests: [Failure] with what is wrong, if something is. O(n). *)
end
