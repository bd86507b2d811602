(** Grain sizes: how far loops are split, and how long they run without looking up. The formulas have their
    home here. *)

val leaf : int -> workers:int -> int
(** [leaf n ~workers]: ranges of at most this many of [n] iterations are not split before somebody asks for
    work. One 32nd of a worker's share, at least 1: so many parts spread coarse iterations evenly, and their
    forks cost nothing that could be seen. *)

val adapt : int -> ticks:int -> int
(** [adapt b ~ticks] is the next size after a block of [b] iterations that took [ticks]
    ({!Weft_platform.Tsc}): more if it took much less than {!long}, fewer if much more; at least 1. *)

val long : int
(** What a block should take at most, in ticks: a few microseconds. Thieves wait that long at most, if
    iterations are short, and looking at the clock between blocks costs less than a hundredth. *)

val leaves_of_tree : int -> int
(** [leaves_of_tree n] is the greatest length of a leaf in the tree by which [n] elements are reduced. A
    function of [n] alone: results must depend on nothing else. *)

val scan_block : int -> int
(** [scan_block n] is the length of the blocks of a scan of [n] elements. A function of [n] alone. *)

val check_chunk_size : string -> int option -> unit
(** [check_chunk_size who chunk_size]
    @raise Invalid_argument if it is less than 1. *)
