(** Random permutations, in parallel.

    Every element goes to a random bucket, and every bucket is shuffled by itself (Rao: Generation of random
    permutations of given number of elements using random sampling numbers, Sankhya 1961; Sandelius: A simple
    randomization procedure, J. Royal Stat. Soc. B 1962). All orders are equally likely: given the sizes of
    the buckets, so are the ways to fill them, and the orders within them. The bucket of an element depends on
    its index alone, and elements keep their order on the way, so that the answer does not depend on who moves
    them. *)

val shuffle : ?bucket:int -> who:string -> Splitmix.t -> 'a array -> unit
(** [shuffle t a] draws as much of [t] as one split. Arrays of up to [bucket] elements are shuffled by the
    caller alone, longer ones in buckets of about that many; it must be positive. *)
