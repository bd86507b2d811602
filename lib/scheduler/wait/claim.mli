(** Who continues a suspended fiber: the first that takes its claim.

    {b States}, of one word:
    {v
    Waits --take--> Taken
      |  ^
    read |                the reader has ended
      v  |
    Read --take_or_leave--> Left --the reader has ended--> Taken
    v}

    {b Reading.} To see where a fiber waits, its stack is taken out of the continuation and put back: nobody
    may continue it meanwhile. Who comes to continue a fiber that is being read does not wait: it leaves to
    the reader what it would have done ([Left]), and the reader does that when it has put the stack back. The
    fiber then counts as claimed.

    {b Nobody is lost.} The reader leaves [Read] by a compare-and-set. If that fails, somebody has left
    something, and the reader does it. Between the two steps no code of the user runs in the reader's thread,
    and nothing can raise. *)

type t

val make : unit -> t
(** Nobody has taken it. *)

val take : t -> bool
(** Takes the claim; [false] if somebody has, or if the fiber is being read: {!take_or_leave} tells. One
    compare-and-set. *)

val take_or_leave : t -> (unit -> unit) -> bool
(** [take_or_leave c go_on]: [false] if somebody has taken [c]. Else [c] is taken, and [go_on ()] has been
    called, or a reader will call it soon. From any thread; never waits. *)

val is_taken : t -> bool
(** Also while a reader has still to continue the fiber. One load. *)

val read : t -> (unit -> 'a) -> 'a option
(** [read c f] is [f ()], and nobody continues the fiber meanwhile; [None], if somebody has taken [c], or
    another reader is there. [f] must not raise, nor run code of the user. From any thread; calls what was
    left to it. *)
