(** Batched search trees, from persistent sequential ones.

    A persistent search tree with [join] is enough for a batched map: a whole batch goes down the tree at
    once. At each root it is divided into the operations on the left, on the right, and on the root itself;
    both sides are done in parallel, and joined again. So insertions, removals, look-ups and updates are done
    in one pass: O(m log(1 + n/m)) work, beside sorting the keys of the batch, for m operations on n bindings
    (Blelloch, Ferizovic and Sun, Just join for parallel ordered sets, SPAA 2016). The keys of the tree sort
    the batch on the way; a batch that comes in increasing order is not even moved. Subtrees that do not
    change are not copied: a batch of look-ups makes no node. In a large tree, keys that end in the same
    subtree are first searched for side by side, so that the misses of the processor's caches overlap
    ([Persistent.TREE.warm]): so {!S.exec_many} is faster than a loop on one domain, too; a key may be
    compared twice as often. For a tree that has only [expose] and [join], {!Weft_containers.Join_based}
    supplies the rest.

    {b Readers.} The last step of a batch replaces the root of the tree, in one write. So functions that only
    read ([find_opt], [iter], {!S.snapshot}...) take the current root, without waiting and without any lock,
    in any thread: they see all changes by calls that have returned before, and never half of a batch.

    Where batching pays: {!Stats}.

    {b Cost}, for n bindings, if [join] costs the difference of the heights: each function is O(log n), beside
    what it waits for, unless it says otherwise, and a change allocates as many words. {!S.iter}, {!S.fold}
    and all of {!S.to_seq} are O(n); {!S.create}, {!S.of_tree}, {!S.snapshot}, {!S.length}, {!S.exclusive},
    {!S.quiesce} and {!S.stats} O(1). A batch of m operations ({!S.add_all}, {!S.exec_many}, {!S.submit_many},
    {!S.run_batch}) is O(m log n). The span of a batch of m operations is O(m) short steps, which divide it at
    the roots, and O(log{^ 2} n); into an empty tree, O(m log m), to sort it. A batch that is sorted is
    divided by binary search. Operations on one key are applied one after the other. *)

module type S = Tree_map.S

module Make (Tree : Weft_containers.Persistent.TREE) : S with module Key = Tree.Key and module Tree = Tree

(**/**)

(* [Make], for the structures of this library: error messages name these. *)
module Named (Tree : Weft_containers.Persistent.TREE) : sig
  include S with module Key = Tree.Key and module Tree = Tree

  val make_named : who:string -> ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> 'v Tree.t -> 'v t
  (** [make_named ~who tree] is {!of_tree}, called [who] in error messages. *)
end
