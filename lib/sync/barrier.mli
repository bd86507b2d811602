(** Barriers: a number of participants wait for each other, again and again.

    Fibers of any pool, other threads and other domains may use the same barrier. All participants but one
    wait at the same time: fibers can do that, however few domains their pool has.

    {b Cost.} {!create} and {!wait} are O(1), and {!wait} O(n) for the last participant of a round, who
    resumes the others. A place in the queue takes some tens of words. *)

type t

val create : int -> t
(** [create n] is a barrier of [n] participants.
    @raise Invalid_argument if [n < 1]. *)

val wait : ?timeout:float -> t -> int
(** [wait b] returns once [n] have arrived at [b]: it suspends the calling fiber, or holds up the calling
    thread, until the last one arrives, who goes on without waiting. The barrier can then be used again, and
    the next arrival belongs to the next round, even if some participants of this round do not run yet. What
    was done before any of the [n] arrivals is seen by all [n] afterwards.

    The result is the participant's place in the order of arrival: 0 for the first of the round, [n - 1] for
    the last, each once.

    A participant that gives up takes its arrival back: the round then needs one more. If the round is
    complete when it is about to give up, its arrival counts, and [wait] returns (a cancelled fiber finds out
    at its next cancellation point).
    @raise Weft.Cancel.Timeout if the round is not complete [timeout] seconds after the arrival.
    @raise Weft.Cancel.Cancelled if the calling fiber is cancelled while it waits. *)
