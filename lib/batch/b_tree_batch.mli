(** Batches of operations on a B-tree.

    A batch goes through the tree in three steps, as in PALM (Sewall et al., PALM: parallel
    architecture-friendly latch-free modifications to B+ trees, VLDB 2011), each parallel over blocks of
    operations or subtrees:

    - {e Locate}: every key finds its leaf and its place there, a block of keys level by level, so that the
      cache misses of a block overlap. Paths and places are small integers in the order of the keys: so the
      batch is then sorted without comparing keys again, but for new keys that fall between the same two.
    - {e Apply}: the operations of each key, in the order of arrival, become one change of its leaf, made in
      place if it fits; else the leaf is merged with all its changes and cut into as many as needed.
    - {e Repair}: {!Weft_containers.B_tree_repair}, only where leaves were split or have become small.

    A large batch goes in pieces of two thousand operations, in the order of arrival, so that what was located
    is still in the caches when it is changed. Keys are compared in the first step of a piece only, before
    anything of it changes. If a comparison raises there, the piece is applied one by one instead, so that
    only those operations fail whose own comparisons raise. [Sys.Break], [Out_of_memory] and [Stack_overflow]
    are taken for no comparison's: they end the batch. If they come from a comparison all the same, this piece
    and those that follow do not take effect; what a signal's handler raises later, while the tree is changed,
    leaves it out of order.

    With [m] operations on [n] bindings: O(m log n) comparisons, O(m (log n + u)) work, where [u] is what an
    update function costs; operations on one key, or on one leaf's, follow each other. *)

module Make (Key : Weft_containers.Maps.ORDERED) : sig
  module Sequential : module type of Weft_containers.B_tree.Make (Key)

  module Op : module type of struct
    include Map_op.Make (Key)
  end

  type 'v packed = Op : ('v, 'a) Op.t * 'a Cell.t -> 'v packed

  val apply : 'v Sequential.t -> ('v, 'a) Op.t -> 'a
  val run_batch : 'v Sequential.t -> 'v packed array -> unit
end
