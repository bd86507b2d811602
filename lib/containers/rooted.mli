(** Mutable maps: a persistent tree in an atomic reference.

    One thread at a time may change a map. Any number of others may read meanwhile: each call reads the root
    once and then works on a tree that never changes. So [iter], [fold] and [to_seq] see the map as it was
    when they were called (for [to_seq], when it was called, not when its elements are taken), and the map may
    be changed meanwhile.

    {b Cost.} That of the tree's function of that name; [create] and [snapshot] are O(1), and [update] is
    [find_opt] and a change. *)

module type S = sig
  module Key : Maps.ORDERED

  module Tree : Persistent.TREE with module Key = Key
  (** The persistent tree inside. *)

  include Maps.ORDERED_MAP with type key = Key.t and type 'v t = 'v Tree.t Atomic.t

  val create : unit -> 'v t
  (** An empty map. *)

  val snapshot : 'v t -> 'v Tree.t
  (** The map as it is now, for good. O(1). *)
end

module Make (Tree : Persistent.TREE) : S with module Key = Tree.Key and module Tree = Tree
