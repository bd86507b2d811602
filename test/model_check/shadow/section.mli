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
(** [run f] is one step, and [f ()] right after it. [f] must take no step before it has changed all that the
    lock guards: what comes after such a step would change unseen by those who {!look}. (A token that it gives
    at the end is a step of its own; others may enter sections before it, which no lock allows: more
    interleavings than there are.) *)

val look : unit -> unit
(** A step that commutes with other looks only: before reading what sections write. *)

type word
(** Written in sections, read by anybody: one of a section's changes if sections are single steps, else a
    cell. *)

val word : string -> word
(** 0 at first. *)

val read : word -> int
(** A step. *)

val write : word -> int -> unit
(** Inside sections only. *)

val change : word -> int -> unit
(** The same, but no step if it is so already. *)

val value : word -> int
(** Without a step: inside sections, and for the judgement. *)
