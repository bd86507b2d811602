(** Random words from counters: SplitMix64 (Steele, Lea and Flood: Fast splittable pseudorandom number
    generators, OOPSLA 2014).

    A generator is a number, its {e state}, and an odd number, its {e gamma}. A draw adds the gamma to the
    state and mixes the bits of the sum; a split makes a state and a gamma from two draws. The mix functions
    and the choice of gammas are those of the paper (variant 13 of Stafford for words, MurmurHash3's finaliser
    for gammas).

    The functions of an index are not in the paper, but use its functions: the state, mixed once, is the
    origin of a second sequence with the same gamma, and the word of index [i] is element [i] of that. A third
    sequence, from another origin, gives the states and gammas of the generators of [at]. The origins differ
    from each other and from the state as random numbers do, so the sequences overlap with a probability of
    the sum of their lengths over 2{^ 64}.

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
