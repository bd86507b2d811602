(** Maps from the integers of a universe: y-fast tries (D. E. Willard, Log-logarithmic worst-case range
    queries are possible in space Theta(N), Information Processing Letters 17, 1983).

    {b Cost.} Times are expected, and those of changes amortised. [mem], [find_opt], [succ], [pred]: O(log
    bits), that is O(log log U) for a universe of U keys. [add], [remove], [update] (beside one call of its
    function): O(log bits) comparisons; up to [2 bits] neighbours in an array are moved by a place.
    [min_binding_opt], [max_binding_opt] and [length]: O(1). [iter] and [fold]: O(n). [to_seq]: O(log bits)
    per binding; it sees changes made meanwhile. [create]: O(2 ** (bits / 3)), at most a thousand steps or so.

    Space for n keys: O(n), two words per key and up to as much again that is unused. {!Y_trie} tells how it
    works, and {!Joined} how it is divided. *)

include Int_map.S
