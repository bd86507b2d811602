(** One y-fast trie, whose keys differ only in their last [height] bits (D. E. Willard, Log-logarithmic
    worst-case range queries are possible in space Theta(N), Information Processing Letters 17, 1983).

    Keys are in buckets, each a sorted array of between half of [bits] and twice [bits] keys (here [bits]
    counts as four if it is less). Each bucket has a representative; an x-fast trie of these ({!X_trie}) finds
    the bucket of a key. A bucket with too many keys is split into halves; one with too few is joined with a
    neighbour, and split again if it must be.

    {b Cost.} [find_opt], [mem], [succ], [pred]: O(log bits) expected. [add] and [remove]: O(log bits)
    comparisons, and up to [2 bits] keys and values are moved by a place; once in Omega(bits) changes a
    representative comes or goes: O(height), amortised O(1). Space for n keys: O(n). *)

include Core.S
