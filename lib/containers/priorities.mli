(** Random priorities, for treaps.

    Each domain draws from its own generator, whose start comes from a seed that the system offers. So nobody
    who cannot look into the memory of the program can choose keys that make a treap deep.

    {b Cost.} O(1). *)

val draw : unit -> int
(** A random integer of [Binary_tree.own_bits] bits. *)

val seed : int -> unit
(** For tests: after [seed s], what the calling domain draws depends on [s] alone. *)
