(** Random permutations, in parallel.

    Every element goes to a random bucket, and each bucket is shuffled by itself (Rao: Generation of random
    permutations of given number of elements using random sampling numbers, Sankhya 1961; Sandelius: A simple
    randomization procedure, J. Royal Stat. Soc. B 1962). All orders are equally likely: for given sizes of
    the buckets, all ways to fill them are, and all orders within them. The bucket of an element depends on
    its index alone, and elements keep their order when they are moved to the buckets, so the result does not
    depend on which workers move them. *)

val shuffle : ?bucket:int -> who:string -> Splitmix.t -> 'a array -> unit
(** [shuffle t a] changes [t] as one split does. The caller alone shuffles arrays of up to [bucket] elements;
    longer ones are shuffled in buckets of about that many. [bucket] must be positive. *)
