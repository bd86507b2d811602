(** Maps from the integers of a universe: x-fast tries (D. E. Willard, Log-logarithmic worst-case range
    queries are possible in space Theta(N), Information Processing Letters 17, 1983).

    {b Cost.} Times are expected, and those of changes amortised. [mem], [find_opt]: O(1). [succ], [pred]:
    O(log bits), that is O(log log U) for a universe of U keys. [add], [remove], [update] (beside one call of
    its function): O(bits), but they look at only a few levels where keys are dense. [min_binding_opt],
    [max_binding_opt] and [length]: O(1). [iter] and [fold]: O(n). [to_seq]: O(log bits) per binding; it sees
    changes made meanwhile. [create]: O(2 ** (bits / 3)), at most a thousand steps or so.

    Space for n keys: O(n bits). {!Y_fast} takes O(n). {!X_trie} tells how it works, and {!Joined} how it is
    divided. *)

include Int_map.S
