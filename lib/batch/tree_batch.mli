(** One batch on a persistent search tree, for the batched maps of {!Split_join}.

    The batch goes down the tree. At each root it is divided, in the order of arrival, into the operations on
    smaller keys, those on the key of the root, and those on greater keys: with one comparison each, and by
    moving their indices, since the batch is not sorted; or by binary search if it came sorted. The operations
    on the root's key are applied, one after the other, to a tree of that key alone; both sides are done in
    parallel; then all is joined. If there are only a few operations for a subtree, they are applied one by
    one. At an empty subtree, the rest of the batch is sorted and a tree is built of it.

    So no comparisons are made to sort the batch, beside those of the descent. There is no branch that depends
    on one: a processor could not predict it.

    A large tree is not in the processor's caches, and one operation after the other would wait for each node
    on its way. So before a few operations are applied to a subtree, [Persistent.TREE.warm] searches for all
    of them side by side, and their nodes are loaded at the same time
    ([weft bench batch_avl_bulk_uniform --domains 1]: less than half of the time of a loop). Keys are then
    compared up to twice: this is done only in trees that are too large for the caches ({!Cache_size}). If
    such a comparison raises, it is as if that of an operation did: the batch starts anew. *)

open Weft_containers

module Make (Tree : Persistent.TREE) : sig
  module Op : module type of struct
    include Map_op.Make (Tree.Key)
  end

  type 'v t = 'v Tree.t Atomic.t
  type ('v, 'a) op = ('v, 'a) Op.t
  type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  val apply : 'v t -> ('v, 'a) op -> 'a

  val run_batch : 'v t -> 'v packed array -> unit
  (** See {!Split_join.S.run_batch}. *)

  val run : ('v t -> 'v packed array -> unit) option
  (** [Some run_batch]. *)

  val rank : 'v packed -> int
  (** See {!Weft_batch.Make_generic.create}; likewise of the other structures. *)
end
