(** How the waits of those who have lined up are ended: their pool is closed, or deadlocked. *)

val end_party : 'p Combiner.t -> Waiters.party -> exn -> unit
(** [end_party t p e] ends with [e] the waits of those of [p] that are still in line at the gate; what the
    owner has taken is in good hands. The others of the line go back. From any thread; a signal's exception
    loses nobody. *)
