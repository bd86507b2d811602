(** Critical sections as one step.

    A section of the scheduler's locks takes the lock (which commutes with all that other processes may do
    before it), changes what the lock guards, perhaps writes the wake word, and gives the lock back (which
    commutes with all that may follow). So as far as others can tell, all of it happens when the wake word is
    written: one step can stand for it. The scenarios that are too large otherwise use that; others run
    [lock.ml] itself. *)

val collapse : bool -> unit
(** Whether the sections of this run, and reads of the wake word, are single steps from now on.
    {!Process.restart} ends it. *)

val ignore_all : unit -> unit
(** Instead: they are no steps at all, but happen together with the step before. For runs in which they
    commute: nobody sleeps, and nobody looks at the list of the suspended, so that entries come and go unseen.
*)

val step_by_step : (unit -> 'a) -> 'a
(** [step_by_step make] is [make ()]; the locks made there are taken step by step all the same. For the locks
    of channels, mutexes and the like: what they guard others wake, which is a step. *)

(** {1 For the checked sources and [Mutex]} *)

val collapsed : unit -> bool

val are_whole : unit -> bool
(** Whether the sections of a lock that is made now are to be run by {!run}. *)

val run : (unit -> 'a) -> 'a
(** [run f] is one step, and [f ()] right after it. (A token that [f] gives is a step of its own; others may
    enter sections before it, which no lock allows: more interleavings than there are.) *)

val look : unit -> unit
(** A step that commutes with other looks only: before reading what sections write. *)
