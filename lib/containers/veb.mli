(** Maps from the integers of a universe: van Emde Boas trees (P. van Emde Boas, Preserving order in a forest
    in less than logarithmic time and linear space, Information Processing Letters 6, 1977).

    {b Cost.} [mem], [find_opt], [add], [remove], [succ] and [pred] take O(log bits), that is O(log log U) for
    a universe of U keys; [update] as much, and one call of its function; [min_binding_opt], [max_binding_opt]
    and [length] O(1). [create] is O(1), [iter] and [fold] take O(n); [to_seq] O(log bits) per binding, and
    sees changes made meanwhile.

    The last five bits of a key are its place in a word of 32 bits, which has an array of 32 values. Clusters
    exist only while they have keys. They are found by an array, or by a hash table if the high parts of keys
    have more than 16 bits (universes of more than 2 ** 36 keys or so): then times are expected and amortised.
    A node with two keys or more has an array of clusters: few keys in a large universe take up to some
    thousand words each; dense keys take little more than a word each. *)

include Int_map.S
