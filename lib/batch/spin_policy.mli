(** How long a call that finds the structure busy waits, awake, before it lines up.

    To line up and be resumed costs some microseconds. So does each operation of a small batch. A microsecond
    of waiting is always worth it. Where operations are cheap (a counter, a hash table, a trie), it is mostly
    best not to line up at all: callers wait for up to a millisecond, and meanwhile the caller that is at the
    structure goes on with it in its own cache. Whether that is so depends on more than the operation: on what
    its callers do besides, on the collector, on how many processors there are. So it is measured: while
    callers meet at the structure, some milliseconds of the one are followed by some of the other, and what
    gets more operations done goes on for a while, until the other is tried again: after 8 such {e stretches}
    at first, after up to 64 where it keeps losing. Callers are patient to begin with, unless an operation
    takes long (some ten microseconds); where it is next to nothing (a third of a microsecond), lining up is
    not tried.

    If callers wait in vain again and again (the one at the structure has lost its processor, say), they stop
    waiting awake.

    What is counted is approximate: callers write it without synchronisation. *)

type t

val make : Cutoff.t -> t

val impatient : t
(** Never waits for more than a microsecond or two. *)

val longest : t -> int
(** The longest pause now, in {!Weft_platform.Tsc}. *)

val is_long : int -> bool
(** Whether it is that of those who do not line up. *)

val first : longest:int -> int
(** The first pause: they double up to [longest]. *)

val entered : t -> int -> unit
(** [entered p ticks]: one who had waited got in, and its operation took so long. By the owner. *)

val in_vain : t -> longest:int -> unit
(** One has paused up to [longest], and nobody has left. *)

val note : t -> operations:int -> now:int -> unit
(** [note p ~operations ~now]: so many operations have been applied since the structure was made, to the tick
    [now]. By the owner, wherever callers have met. Allocates nothing. *)

val start_again : t -> unit
(** What comes next is not to be measured with what came before: other work was done in between. *)
