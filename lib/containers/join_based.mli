(** Makes all functions of a search tree from its [expose] and [join].

    Each function makes O(height) calls of [join], on trees whose differences in height add up to O(height).
    So it is O(log n) if [join] costs what it should: the difference of the heights. See Blelloch, Ferizovic
    and Sun, Just join for parallel ordered sets (SPAA 2016). A tree that has faster functions of its own puts
    them in place of these.

    {b Cost.} If [join] costs that, O(log n) for functions of a key, {!Make.split} and {!Make.join2}; O(n) to
    go through all bindings; [warm] does nothing. *)

module Make (J : Persistent.JOINABLE) : Persistent.TREE with module Key = J.Key and type 'v t = 'v J.t
