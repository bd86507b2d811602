(** Maps made of shards by the topmost bits of keys.

    The topmost third of the bits, ten at most, is the number of a shard. Above the shards there is an x-fast
    trie of the numbers of those that are not empty: the upper levels of the whole trie, and the joints
    between the lists of leaves of neighbouring shards.

    {b Cost.} That of the shards' maps, and of an x-fast trie of up to 10 bits. *)

module Make (_ : Core.S) : Int_map.S
