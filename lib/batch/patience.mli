(** How long one who finds somebody at a structure waits there, awake, before it lines up.

    To line up and be told costs some microseconds, and so does, for each of its operations, a batch of few. A
    microsecond of waiting is always worth it. Where operations are cheap (a counter, a hash table, a trie),
    it is best not to line up at all: callers wait for up to a millisecond, and meanwhile whoever is at the
    structure goes on with it in its own cache. Cheap is measured: what an operation took by itself, of those
    whose callers had to wait, against what one takes in the batches so far. Where batches pay, or callers
    wait in vain again and again (whoever is at the structure has lost its processor, say), nobody is patient.

    The counts are approximate: callers write them without synchronisation. *)

type t

val make : Cutoff.t -> t

val impatient : t
(** Never waits for more than a microsecond or two. *)

val longest : t -> int
(** The longest pause now, in {!Weft_support.Ticks}. *)

val first : longest:int -> int
(** The first pause: they double up to [longest]. *)

val entered : t -> int -> unit
(** [entered p ticks]: one who had waited got in, and its operation took so long. By the owner. *)

val in_vain : t -> longest:int -> unit
(** One has paused up to [longest], and nobody has left. *)
