(** Who pays for the memory barriers of the scheduler.

    Two protocols of the scheduler, the deque's and the sleepers', are of the form
    {e write mine, then read yours} on both sides (Dekker): each side needs a full memory barrier between its
    write and its read. One side is hot (the owner that pushes and pops a job per fork) and one is rare (a
    thief, a worker that goes to sleep). On Linux the rare side can issue the barrier for both:
    [membarrier(2)] makes every running thread of the process pass a full barrier. The idea of asymmetric
    barriers is from Dice, Huang and Yang ({e Asymmetric Dekker Synchronization}, 2001).

    The choice is made once, when the program starts, before any worker exists. *)

type mode =
  | Thief  (** the rare side issues [membarrier]; the owner's side has no barrier at all *)
  | Owner  (** each side issues an ordinary full barrier *)

val mode : mode
(** The mode in force: [Thief] where [membarrier] works on a processor that does not reorder a thread's stores
    (x86), unless the environment variable [WEFT_FENCE] says [owner]. [WEFT_FENCE=thief] elsewhere, and any
    other value of the variable, is ignored with one line on standard error. *)

val why : string
(** Why this mode is in force, in a few words. *)

type membarrier = Available | Missing of string  (** the reason *)

val membarrier : membarrier
(** Whether the operating system offers the barrier (asked, registered for, and tried once). *)

(** {1 Barriers} *)

val by_owner : bool
(** [mode = Owner], for the hot paths to test. *)

external full : unit -> unit = "weft_fence"
[@@noalloc]
(** A full barrier for the calling thread. The owner's side calls it between its write and its read if
    {!by_owner}. *)

val heavy : unit -> unit
(** The rare side's barrier: for all threads of the process in mode [Thief] (0.2 us alone, 2 us with a busy
    core beside it), for the calling thread in mode [Owner]. No safepoint of the garbage collector inside. *)
