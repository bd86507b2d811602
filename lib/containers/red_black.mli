(** Maps as red-black trees (Guibas and Sedgewick, 1978): no red node has a red child, and all paths down from
    a node meet as many black nodes. Here a root may be red.

    The tree inside is persistent. Insertion is Okasaki's (Red-black trees in a functional setting, 1999).
    [join], by black heights, is that of Blelloch, Ferizovic and Sun, Just join for parallel ordered sets
    (SPAA 2016). Removal joins again on the way up, which costs O(1) per level, since the black heights differ
    by O(1) there. The height is at most [2 log2 (n + 1) + 1].

    {b Cost.} [mem], [find_opt], [add], [remove], [update], [succ], [pred], [min_binding_opt] and
    [max_binding_opt] are O(log n); [length], [create] and [snapshot] O(1); [iter], [fold] and the whole of
    [to_seq] O(n). For the trees inside, [join l k v r] is O(the difference of their black heights), [join2]
    and [split] are O(log n). If [Key.compare] or the function given to [update] raises, so does the
    operation, and nothing has changed. *)
module Make (Key : Maps.ORDERED) : sig
  module Tree : sig
    include Persistent.TREE with module Key = Key

    val check : 'v t -> unit
    (** For tests. O(n).
        @raise Failure if it is no red-black tree. *)
  end

  include Rooted.S with module Key := Key and module Tree := Tree

  val check : 'v t -> unit
  (** {!Tree.check} of the tree inside. O(n). *)
end
