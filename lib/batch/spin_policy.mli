(** How long a call that finds the structure busy spins before it joins the publication list.

    Joining the list and being resumed costs some microseconds. So does each operation of a small batch. A
    microsecond of spinning is always worth it. Where operations are cheap (a counter, a hash table, a trie),
    it is mostly best not to join the list at all: callers spin for up to a millisecond, and meanwhile the
    caller inside goes on with the structure in its own cache. Whether that is so depends on more than the
    operation: on what its callers do besides, on the collector, on the number of processors. So it is
    measured. While callers meet at the structure, some milliseconds of one way are followed by some of the
    other; the way that gets more operations done goes on for a while, until the other is tried again: after 8
    such {e stretches} at first, after up to 64 where it keeps losing. Callers are patient to begin with,
    unless an operation takes long (some ten microseconds); where it takes next to nothing (a third of a
    microsecond), joining the list is not tried.

    If callers wait in vain again and again (the one inside has lost its processor, say), they stop spinning.

    The counts are approximate: callers write them without synchronisation. *)

type t

val make : Cutoff.t -> t

val impatient : t
(** Never spins for more than a microsecond or two. *)

val longest : t -> int
(** The longest pause now, in {!Weft_platform.Tsc}. *)

val is_long : int -> bool
(** Whether that is the pause of callers that do not join the list. *)

val first : longest:int -> int
(** The first pause: they double up to [longest]. *)

val entered : t -> int -> unit
(** [entered p ticks]: a call that had waited got in, and its operation took so long. By the owner. *)

val in_vain : t -> longest:int -> unit
(** A call has paused up to [longest], and nobody has left. *)

val note : t -> operations:int -> now:int -> unit
(** [note p ~operations ~now]: so many operations have been applied from the making of the structure to the
    tick [now]. By the owner, wherever callers have met. Allocates nothing. *)

val start_again : t -> unit
(** Other work was done in between: the next operations are not measured together with the earlier ones. *)
