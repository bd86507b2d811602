(** Cells of work, numbered from 0, that ranks take until none is left; a rank takes some side by side, a
    {e piece}, at a time.

    {b Balance.} A rank takes the next cells from a counter at rank 0 ({!World.counter}): it adds how many it
    takes, and gets the number of the first. It takes each piece while it computes the one before, so that it
    does not wait for the answer. {!Cut.next_piece} says how many cells to take, from the time that the last
    piece took on this rank. In a pool of several workers two fibers take pieces, so that workers that have
    nothing left to do in one piece begin with another.

    {b The end.} Each rank sends to all others how much it has added to the counter, what it has to give, and
    what has failed. So all ranks know the same when the call returns.

    {b Failures.} A rank that fails, or has found what all look for, takes all the cells that are left: then
    no rank finds another piece. Pieces that were taken before are computed to their end. *)

exception Elsewhere of { rank : int; text : string; backtrace : string }
(** {!Failures.Elsewhere}. *)

exception Enough
(** Raised by a piece: nobody need begin another one. *)

type 'a result = {
  given : 'a array;  (** by the ranks that had something to give *)
  failure : Failures.t option;  (** its order: the first cell of the piece; [max_int]: it was in [give] *)
}

val run : World.t -> cells:int -> (int -> int -> unit) -> (unit -> 'a) -> 'a result
(** [run w ~cells f give] calls [f first last] for pieces, which have each cell below [cells] once, on some
    rank; and [give ()] on each rank at the end. All ranks get the same result. If the fiber is cancelled, or
    [give ()] cannot be marshalled, that is a failure of this rank. *)

val get : 'a result -> 'a array
(** [get r] is [r.given]. Raises as {!Failures.reraise} if there is a failure. *)
