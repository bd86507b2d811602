(** Counts of a trace: steals, forks, waits for locks and channels, batches, the machine. *)

type holder = { who : string;  (** as {!Fibers.label} *) times : int; time : int  (** ns in all *) }

type root = { who : string; time : int; length : int }
(** As {!Chains.root}. *)

type waits = {
  kind : [ `Lock | `Channel ];
  call : string;  (** such as ["Weft.Mutex.lock"] *)
  calls : string list;  (** all calls that waited for the lock or channel, the most frequent first *)
  number : int option;  (** the number of the lock or channel *)
  latency : Latency.t;  (** of the waits that ended, if any did *)
  moments : Intervals.t;  (** when at least one fiber waited for it *)
  most : int;  (** the greatest number of simultaneous waits *)
  by : (string * int) list;  (** the workers on which the waits began, and how many; the most first *)
  name : string option;  (** that the program gives to the lock or channel *)
  at : string list;  (** lines of functions that run with the lock, the most frequent first *)
  waiters : int;  (** how many fibers waited, as far as the trace says which *)
  holder : holder option;  (** of a lock: who held it longest while fibers waited *)
  root : root option Lazy.t;  (** of a channel: whom the fibers waited for in the end *)
}

type batches = {
  structure : int option;
  sizes : Latency.t;  (** the sizes in operations, not in ns *)
  parallel : int;  (** how many of the batches ran in parallel *)
  time : int;  (** total ns *)
}

type machine = {
  processors : int;  (** the processors of the machine *)
  stolen : float;  (** the share of their time that the hypervisor gave to other machines *)
}

type process = {
  processors : int option;
      (** the processors that it might use, by affinity; [None] if the trace does not say *)
  cpu : int;  (** ns in which threads of the program ran, summed over the threads *)
  waiting : int;  (** ns in which they could have run, but the system ran other threads *)
}

val steals : Trace.t -> (string * string * int) list
(** Thief, victim and number of steals; the most first. The victim is ["?"] where the trace does not say. *)

val forks : Trace.t -> int option
(** The number of forks during the time that the trace shows, as far as workers have told; [None] if the trace
    does not say. *)

val forks_within : Trace.t -> Intervals.t -> int option
(** The number of forks in these moments, as far as workers have told. They tell it now and then; between two
    samples they are taken to be spread evenly. [None] if that would be a guess: there were some between
    samples that have some of these moments between them, and more than a quarter of that time is other time.
*)

val waits : Trace.t -> waits list
(** The longest total time first. Waits for conditions count as waits for channels, since they are no
    contention. *)

val batches : Trace.t -> batches list
val machine : Trace.t -> machine option

val process : Trace.t -> process option
(** During the whole trace; [None] if the trace does not say, or is too short. *)

val processors : Trace.t -> int option
(** The processors that the program could use: those of the machine, or fewer by affinity. [None] if the trace
    says neither. *)

val tracer : Trace.t -> (int * float) option
(** The processor time of the tracer itself, in ns, and that as a part of the time of all processors that the
    program could use; [None] if the trace does not say. *)

val series_named : string -> Trace.t -> Trace.series list
(** The series of that counter that have samples. *)

val last : Trace.t -> float option
(** The number of seconds before the end that the trace shows, if limited by [weft trace --last]. *)
