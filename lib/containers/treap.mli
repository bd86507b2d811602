(** Maps as treaps (Seidel and Aragon, Randomized search trees, Algorithmica 1996): search trees by keys, and
    heaps by random priorities. A key's priority ({!Weft_containers.Priorities}) is drawn when the key is
    bound, and kept as long as it stays bound.

    The tree inside is persistent. [join2] and [split] are those of Blelloch and Reid-Miller, Fast set
    operations using treaps (SPAA 1998).

    {b Cost}, expected, whatever the keys and the order they come in: [mem], [find_opt], [add], [remove],
    [update], [succ], [pred], [min_binding_opt] and [max_binding_opt] are O(log n) (about [1.39 log2 n]
    comparisons); [length], [create] and [snapshot] O(1); [iter], [fold] and the whole of [to_seq] O(n). For
    the trees inside, [join], [join2] and [split] are O(log n), [rejoin] is O(1) where nothing has changed. If
    [Key.compare] or the function given to [update] raises, so does the operation, and nothing has changed. *)
module Make (Key : Maps.ORDERED) : sig
  module Tree : sig
    include Persistent.TREE with module Key = Key

    val check : 'v t -> unit
    (** For tests. O(n).
        @raise Failure if it is no treap. *)
  end

  include Rooted.S with module Key := Key and module Tree := Tree

  val check : 'v t -> unit
  (** {!Tree.check} of the tree inside. O(n). *)
end
