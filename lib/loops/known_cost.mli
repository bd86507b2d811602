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

val learn : t -> int -> int -> unit
(** [learn k code n]: a loop has found that [n] iterations take about as long as a block. *)

val distrust : t -> int -> unit
(** [code] was taken for short, and is not; or its calls wait. *)
