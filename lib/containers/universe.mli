(** The keys of structures over the integers: those of [bits] bits, 0 to [2 ** bits - 1].

    [where] is the function that messages name, such as ["Weft_containers.Veb.add"].

    {b Cost.} O(1). *)

val most_bits : int
(** 62, for all integers that are not negative. *)

val check_bits : string -> int -> unit
(** [check_bits where bits] checks a number of bits.
    @raise Invalid_argument if [bits] is not in 1..{!most_bits}. *)

val check : string -> int -> int -> unit
(** [check where bits key] checks a key.
    @raise Invalid_argument if [key] is not in 0..[2 ** bits - 1]. *)
