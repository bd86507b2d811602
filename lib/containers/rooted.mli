(** Mutable maps: a persistent tree in an atomic reference.

    Only one thread at a time may change a map. Any number of others may read it meanwhile: each call reads
    the root once and then works on a tree that never changes. So [iter], [fold] and [to_seq] see the map as
    it was when they were called (for [to_seq], when it was called, not when its elements are taken), and the
    map may be changed meanwhile.

    {b Cost.} Each function costs what the tree's function of that name does; [create] and [snapshot] are
    O(1), and [update] is [find_opt] and a change. *)

module type S = sig
  module Key : Maps.ORDERED

  module Tree : Persistent.TREE with module Key = Key
  (** The persistent tree inside. *)

  include Maps.ORDERED_MAP with type key = Key.t and type 'v t = 'v Tree.t Atomic.t

  val create : unit -> 'v t
  (** An empty map. *)

  val snapshot : 'v t -> 'v Tree.t
  (** The map as it is now. Later changes of the map do not change the snapshot. O(1). *)
end

module Make (Tree : Persistent.TREE) : S with module Key = Tree.Key and module Tree = Tree
