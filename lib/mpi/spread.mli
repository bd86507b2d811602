(** Pieces of work, numbered from 0, that ranks take until none is left.

    {b Balance.} A rank draws the next number from a counter at rank 0 ({!World.counter}), one piece ahead of
    need, so that it does not wait for the answer. In a pool of several workers two fibers draw, so that
    workers that have nothing left to do in one piece begin with another.

    {b The end.} Each rank tells all others how many numbers it has drawn, what it has to give, and what has
    failed. So all ranks know the same when the call returns.

    {b Failures.} A rank that fails, or has found what all look for, draws as many numbers as there are pieces
    at once: then nobody finds another piece. Pieces that were drawn before are computed to their end. *)

exception Elsewhere of { rank : int; text : string; backtrace : string }
(** {!Failures.Elsewhere}. *)

exception Enough
(** Raised by a piece: nobody need begin another one. *)

type 'a result = {
  given : 'a array;  (** by the ranks that had something to give *)
  failure : Failures.t option;  (** of the first piece that has failed; [max_int]: of [give] *)
}

val run : World.t -> pieces:int -> (int -> unit) -> (unit -> 'a) -> 'a result
(** [run w ~pieces f give] calls [f k] for each [k < pieces] on one rank, and [give ()] on each rank at the
    end. All ranks get the same result. If the fiber is cancelled, or [give ()] cannot be marshalled, that is
    a failure of this rank. *)

val get : 'a result -> 'a array
(** What was given; or {!Failures.reraise}. *)
