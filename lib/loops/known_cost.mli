(** How long iterations take, remembered for the code of the function that is called for each.

    A loop finds out by running, with a clock; that costs more than ten short iterations. So the next loop
    that calls the same code begins with what the last one has found. These are hints, read and written by all
    domains without order: a wrong one costs time.

    {b When it is wrong.} A loop that is taken for short ({!Short_loop}) does not look at the clock. But where
    it stops in its middle, because thieves want work or its worker is preempted (every few milliseconds:
    [Weft_scheduler.Monitor]), it measures what is left. If that takes long, its code is not {!is_short} for a
    number of loops, twice as many each time. *)

type t
(** What is known of one code, or of another one in the same place of a small table. *)

val of_code : int -> t
(** By {!Weft_platform.Closure.code}. *)

val none : int
(** The code of functions of which nothing is to be known. *)

val is_short : t -> int -> int -> bool
(** [is_short k code d]: whether [d + 1] iterations of [code] should take less than a block of a loop. *)

val may_be_short : t -> int -> int -> bool
(** [may_be_short k code d]: whether [d + 1] iterations of [code] may be worth a try in turn. They may be up
    to 64 blocks, since the blocks of short loops are small parts of them. *)

val was_long : t -> int -> int -> unit
(** [was_long k code d]: [d + 1] iterations took longer than that. For the next dozens of loops,
    {!may_be_short} is [false] for so many iterations, and for half as many. *)

val learn : t -> int -> int -> unit
(** [learn k code n]: a loop has found that [n] iterations take about as long as a block. *)

val distrust : t -> int -> unit
(** [code] was taken for short, and is not; or its calls wait. *)

val found : t -> int -> int -> unit
(** [found k code n]: [n] is the answer of [Loop.block_found]. If that is 0, [code] is distrusted. *)
