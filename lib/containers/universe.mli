(** The keys of structures over the integers: those of [bits] bits, 0 to [2 ** bits - 1].

    [where] is the function that complains, such as ["Weft_containers.Veb.add"]. All O(1).

    {b Cost.} O(1). *)

val most_bits : int
(** 62: all integers that are not negative. *)

val check_bits : string -> int -> unit
(** [check_bits where bits].
    @raise Invalid_argument if [bits] is not in 1..{!most_bits}. *)

val check : string -> int -> int -> unit
(** [check where bits key].
    @raise Invalid_argument if [key] is not in 0..[2 ** bits - 1]. *)
