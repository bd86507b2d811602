(** Mutable maps as B+ trees (Bayer and McCreight, Organization and maintenance of large ordered indexes,
    1972; Comer, The ubiquitous B-tree, 1979). The leaves hold all bindings, up to 15 each; inner nodes have
    up to 32 children. {!B_tree_node} tells how nodes are laid out.

    A search visits about [log n / 4.5] nodes and compares keys about [log n] times (logarithms to base 2). A
    change writes to a few words of one leaf, and now and then to its parent. It allocates next to nothing and
    gives the collector little work; balanced binary trees replace a path of nodes or rotate.

    The tree may keep keys alive that have been unbound, as separators: fewer than one for four bindings. It
    keeps no unbound values alive.

    If [Key.compare] raises, so does the function that called it, and nothing has changed. Only one thread at
    a time may use a map; functions given to [update], [iter] and [fold] must not change it.

    {b Cost}, for n bindings: each function is O(log n), unless it says otherwise; [iter], [fold] and the
    whole of [to_seq] are O(n). *)

module Make (Key : Maps.ORDERED) : sig
  include Maps.ORDERED_MAP with type key = Key.t and type 'v t = (Key.t, 'v) B_tree_node.tree

  (** [length] is O(1); [mem], [find_opt], [add], [remove], [update], [min_binding_opt], [max_binding_opt],
      [succ] and [pred] are O(log n); [iter], [fold] and the whole of [to_seq] are O(n). If the key is bound
      already, [add] replaces the value and keeps the old key. *)

  val create : unit -> 'v t
  (** An empty map. O(1). *)

  val check : 'v t -> unit
  (** For tests: raises [Failure] with what is wrong, if anything is. O(n). *)
end
