(** Maps made of shards, which the topmost bits of keys choose.

    The topmost third of the bits, ten at most, is the number of a shard. Above the shards, an x-fast trie
    holds the numbers of those that are not empty: it stands for the upper levels of the whole trie, and for
    the joints between the lists of leaves of neighbouring shards.

    {b Cost.} That of the shards' maps, and of an x-fast trie of up to 10 bits. *)

module Make (_ : Core.S) : Int_map.S
