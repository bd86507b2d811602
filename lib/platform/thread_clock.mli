(** How long a system thread of this process has run, and how long it has waited for a processor.

    Linux counts both for every thread, in the thread's [schedstat] file. Elsewhere, and where that file is
    hidden or the kernel does not count, nothing is known: {!read} is false.

    {b When the kernel counts.} The counts are updated at certain moments, not at each reading: {!reading.ran}
    of a thread that is running, at each tick of the kernel's clock, so it may lag by 1 to 10 ms;
    {!reading.waited} when a wait ends, so a wait that is under way is not in it at all, however long it has
    lasted. A thread whose counts both stand still is therefore asleep or waiting for a processor. Waits are
    those of this system alone: time that a hypervisor takes away counts as run, or not at all.

    {b Descriptors.} A clock has a descriptor of its own until it is {!close}d, and reads from it without a
    lock. Closing and reading may race: readers and the closing are counted in one atomic word, no reading
    begins after the closing, and the last reading that was under way closes the descriptor; so no number is
    used that might belong to something else by now. If the program closes all descriptors that it does not
    know of, clocks neither read nor close those numbers: each time, the clock checks that its descriptor is
    still the file that it opened. *)

type t
(** The clock of a thread. It lasts longer than the thread. *)

val none : t
(** The clock of no thread: it reads nothing. *)

val of_self : unit -> t
(** The clock of the system thread that calls. It reads nothing if the thread's file cannot be opened: no such
    system, no descriptor left. Never raises. About 5 us.

    In a child process of a fork it goes on telling of the parent's thread. Programs that are executed do not
    get the descriptor. *)

val of_file : string -> t
(** A clock that reads a file of that format, for tests. *)

val close : t -> unit
(** Gives the descriptor back: the clock reads nothing from now on. From any thread, and as often as one
    likes. If nobody does it, the collector does when it finds that the clock is not used any more. *)

type reading = {
  mutable ran : int;  (** nanoseconds on a processor since the thread began *)
  mutable waited : int;
      (** nanoseconds since the thread began in which it could have run but had no processor: others had them,
          or its control group had used up its quota *)
}

val read : t -> reading -> bool
(** [read t reading] fills in [reading]. False if the counts are not known: then [reading] is as before. So it
    is when the thread has ended, even if another one has its number by now. From any thread. Allocates
    nothing, takes no lock and does not wait; about 1 us. *)

type usage = {
  mutable used : int;  (** nanoseconds on a processor since the thread began, up to this moment *)
  mutable sleeps : int;
      (** how often it has given its processor up to wait for something: a lock, a page, a system call *)
}

external use : usage -> bool = "weft_thread_clock_use"
[@@noalloc]
(** [use usage] fills in [usage] of the calling thread. What {!read} then reads is up to date, too. False,
    with [usage] as before, where the system does not tell (only Linux does). Below 1 us. *)
