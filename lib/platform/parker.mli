(** A binary semaphore for one waiting thread.

    {!unpark} leaves a token, {!park} waits for one and takes it. A token given before the wait is not lost;
    two tokens given before a wait are one. Waiting releases the runtime lock, so that the domain's other
    threads run and the garbage collector does not wait. On Linux a parker is a futex: a signal interrupts the
    wait, so that signal handlers ([Sys.Break]) run at once. *)

type t

type outcome =
  | Token  (** a token came, or was there *)
  | Timed_out
  | Interrupted  (** a signal came, or there was no reason at all: look again *)

val create : interruptible:bool -> t
(** A parker without a token. About 0.1 us. *)

val park : t -> outcome
(** [park p] waits for a token. One thread at a time. *)

val park_for : t -> float -> outcome
(** [park_for p s] is [park p] for at most [s] seconds. *)

external unpark : t -> unit = "weft_unpark"
[@@noalloc]
(** [unpark p] gives a token. From any thread; never waits; a system call only if a thread is waiting (about 2
    us, else 10 ns). *)

external unpark_waiting : t -> bool = "weft_unpark_waiting"
[@@noalloc]
(** [unpark_waiting p] gives a token if a thread is waiting and has none yet, and tells whether: that thread's
    wait will be [Token]. *)
