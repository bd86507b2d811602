(** A whole search tree from [expose] and [join] alone.

    All functions take O(height) calls of [join] whose sizes telescope, so O(log n) where [join] costs what it
    should: the difference of the heights. See Blelloch, Ferizovic and Sun, Just join for parallel ordered
    sets (SPAA 2016). A tree that has faster functions of its own puts them in place of these.

    {b Cost.} O(log n) for a key, for {!Make.split} and {!Make.join2}, where [join] costs that; O(n) to go
    through all; [warm] does nothing. *)

module Make (J : Persistent.JOINABLE) : Persistent.TREE with module Key = J.Key and type 'v t = 'v J.t
