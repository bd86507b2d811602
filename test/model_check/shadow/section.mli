(** Critical sections as one step.

    A section of the scheduler's locks takes the lock (which commutes with all that other processes may do
    before it), changes what the lock guards, perhaps writes the wake word, and gives the lock back (which
    commutes with all that may follow). So as far as others can tell, all of it happens when the wake word is
    written: one step can stand for it. Scenarios that would be too large otherwise use that; the others run
    [lock.ml] itself. *)

val collapse : bool -> unit
(** Whether the sections of this run, and reads of the wake word, are single steps from now on.
    {!Process.restart} ends it. *)

val ignore_all : unit -> unit
(** Instead, makes sections no steps at all: they happen together with the step before. For runs in which
    sections commute: no worker sleeps, and nobody looks at the list of suspended fibers, so nobody sees its
    changes. *)

val step_by_step : (unit -> 'a) -> 'a
(** [step_by_step make] is [make ()]; the locks made there are taken step by step in any case. For the locks
    of channels, mutexes and the like: their sections wake others, which is a step. *)

(** {1 For the checked sources and [Mutex]} *)

val collapsed : unit -> bool

val are_whole : unit -> bool
(** Whether the sections of a lock that is made now are to be run by {!run}. *)

val run : (unit -> 'a) -> 'a
(** [run f] is one step, and [f ()] right after it. [f] must take no step before it has changed all that the
    lock guards: processes that {!look} would not see a change after such a step. (A token that [f] gives at
    the end is a step of its own; others may enter sections before it, which no lock allows: so more
    interleavings are explored than exist.) *)

val look : unit -> unit
(** A step that commutes only with other looks: taken before reading what sections write. *)

type word
(** A word that sections write and anybody reads: if sections are single steps, a part of the section's step;
    else a cell. *)

val word : string -> word
(** 0 at first. *)

val read : word -> int
(** Reads it, as a step. *)

val write : word -> int -> unit
(** Only inside sections. *)

val change : word -> int -> unit
(** The same, but no step if the word has that value already. *)

val value : word -> int
(** Reads it without a step: inside sections, and for the judgement. *)
