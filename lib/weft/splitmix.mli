(** Random words from counters: SplitMix64 (Steele, Lea and Flood: Fast splittable pseudorandom number
    generators, OOPSLA 2014).

    A generator is a number, its {e state}, and an odd number, its {e gamma}. To draw is to add the gamma to
    the state and to mix the bits of the sum; to split is to make a state and a gamma of two draws. The mix
    functions and the choice of gammas are those of the paper (variant 13 of Stafford for words, MurmurHash3's
    finaliser for gammas).

    What depends on an index is beside the paper, but made of the same: the state, mixed once, is the origin
    of a second sequence with the same gamma, and the word of index [i] is its element [i]. A third sequence,
    from another origin, gives the states and gammas of the generators of [at]. The origins differ from each
    other and from the state as random numbers do, so the sequences meet with a probability of their lengths'
    sum over 2{^ 64}.

    Words are not boxed where these functions are inlined. *)

type t

val make : int -> t
val copy : t -> t
val split : t -> t
val at : t -> int -> t

val next : t -> int64
(** Draws 64 bits. *)

val nth : t -> int -> int64
(** The 64 bits of an index; changes nothing. *)

val int : t -> int -> int
(** [int t n] draws an integer from 0 to [n - 1], all equally likely. [n] must be positive. *)

val int_at : t -> int -> int -> int
(** [int_at t i n] is the same for the index [i]. *)
