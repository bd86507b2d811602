(** Batches of operations on a B-tree.

    A batch goes through the tree in three steps, as in PALM (Sewall et al., PALM: parallel
    architecture-friendly latch-free modifications to B+ trees, VLDB 2011), each parallel over blocks of
    operations or subtrees:

    - {e Locate}: for every key, its leaf and its place there are found, for a block of keys level by level,
      so that the cache misses of a block overlap. Paths and places are small integers in the order of the
      keys: so the batch is then sorted without comparing keys again, except new keys that fall between the
      same two.
    - {e Apply}: the operations on each key, in the order of arrival, become one change of its leaf. It is
      made in place if it fits; else the leaf is merged with all its changes and divided into as many leaves
      as needed.
    - {e Repair}: {!Weft_containers.B_tree_repair} restores the tree where leaves were split or have become
      small.

    A large batch is divided into pieces of two thousand operations, in the order of arrival, so that leaves
    that were located are still in the caches when they are changed. Keys are compared only in the first step
    of a piece, before the piece changes anything. If a comparison raises there, the piece is applied one by
    one instead, so that only those operations fail whose own comparisons raise. [Sys.Break], [Out_of_memory]
    and [Stack_overflow] do not count as exceptions of comparisons: they end the batch. If a comparison raises
    one all the same, this piece and those that follow have no effect. If a signal handler raises later, while
    the tree is changed, the tree is left out of order.

    With [m] operations on [n] bindings: O(m log n) comparisons, O(m (log n + u)) work, where [u] is the cost
    of an update function; operations on one key, or on the keys of one leaf, are applied one after the other.
*)

module Make (Key : Weft_containers.Maps.ORDERED) : sig
  module Sequential : module type of Weft_containers.B_tree.Make (Key)

  module Op : module type of struct
    include Map_op.Make (Key)
  end

  include
    Structures.GENERIC
      with type 'v t = 'v Sequential.t
       and type ('v, 'a) op = ('v, 'a) Op.t
       and type 'v packed = 'v Map_batch.Make(Key).packed

  val run_batch : 'v t -> 'v packed array -> unit
  (** The function in [run]. *)

  val rank : 'v packed -> int
  (** See {!Map_batch.Make.rank}. *)
end
