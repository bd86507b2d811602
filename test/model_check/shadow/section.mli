(** Critical sections as one step.

    A section of the scheduler's locks takes the lock (which commutes with all that other processes may do
    before it), changes what the lock guards, perhaps writes the wake word, and gives the lock back (which
    commutes with all that may follow). So as far as others can tell, all of it happens when the wake word is
    written: one step can stand for it. The scenarios that are too large otherwise use that; others run
    [lock.ml] itself. *)

val collapse : bool -> unit
(** Whether the sections of this run, and reads of the wake word, are single steps from now on.
    {!Process.restart} ends it. *)

val collapsed : unit -> bool

val run : (unit -> 'a) -> 'a
(** [run f] is one step, and [f ()] right after it. (A token that [f] gives is a step of its own; others may
    enter sections before it, which no lock allows: more interleavings than there are.) *)

val look : unit -> unit
(** A step that commutes with other looks only: before reading what sections write. *)
