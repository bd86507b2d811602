(** Many bindings, in ascending order of keys, added to a persistent search tree.

    Where all of them fall between two neighbours of the tree, a tree is built of them, without a comparison,
    and joined to what is on both sides. Elsewhere they are divided at each root, by binary search: so each
    node on the way to several of them is copied once. This is the union of Blelloch, Ferizovic and Sun, Just
    join for parallel ordered sets, SPAA 2016, with an array in place of the second tree.

    {b Cost}, for m bindings and a tree of n: {!Make.ascend} is O(m), {!Make.add} O(m log (1 + n/m)) for m <=
    n, in parallel; and O(m + log n log m) if all fall between two neighbours. *)

open Weft_containers

module Make (Tree : Persistent.TREE) : sig
  val ascend : (Tree.Key.t * 'v) array -> int -> int -> bool
  (** [ascend bindings low high] is whether, from place [low] to [high] (excluded), each key is greater than
      the one before it. *)

  val add : 'v Tree.t -> (Tree.Key.t * 'v) array -> 'v Tree.t
  (** [add tree bindings] has the bindings of both, the values of [bindings] where a key has two. The keys
      must {!ascend}. *)
end
