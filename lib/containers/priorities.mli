(** Random priorities, for treaps.

    Each domain draws from a generator of its own, which starts from what the system offers as a seed: no
    choice of keys, by whoever cannot look into the memory of the program, makes a treap deep.

    {b Cost.} O(1). *)

val draw : unit -> int
(** A random integer of [Binary_tree.own_bits] bits. *)

val seed : int -> unit
(** [seed s] makes what the calling domain draws from now on depend on [s] alone: for tests. *)
