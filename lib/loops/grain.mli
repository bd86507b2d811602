(** Grain sizes: how far loops are split, and how long they run between two looks at the deque. The formulas
    are all here. *)

val leaf : int -> workers:int -> int
(** [leaf n ~workers]: a range of at most this many of [n] iterations is not split before a thief wants work.
    It is one 32nd of a worker's share, at least 1: so many parts spread coarse iterations evenly, and their
    forks cost too little to be measured. *)

val adapt : int -> ticks:int -> int
(** [adapt b ~ticks] is the next size after a block of [b] iterations that took [ticks]
    ({!Weft_platform.Tsc}): more if it took much less than {!long}, fewer if much more; at least 1. *)

val long : int
(** The longest time a block should take, in ticks: a few microseconds. If iterations are short, thieves wait
    no longer than that, and reading the clock between blocks costs less than a hundredth. *)

val worth_sharing : int
(** In ticks: a loop that takes less gains nothing by a second domain, since to share it costs about as much.
*)

val leaves_of_tree : int -> int
(** [leaves_of_tree n] is the greatest length of a leaf in the tree by which [n] elements are reduced. It
    depends on [n] alone, as the results must. *)

val blocks_of_tree : int -> int
(** The same where a leaf is one call of a function for a block: leaves are longer, since calls and nodes
    should cost little beside a plain loop, and nobody divides a leaf. *)

val scan_block : int -> int
(** [scan_block n] is the length of the blocks of a scan of [n] elements, of which there are at most about a
    million. A function of [n] alone. *)

val check_chunk_size : string -> int option -> unit
(** [check_chunk_size who chunk_size]
    @raise Invalid_argument if it is less than 1. *)
