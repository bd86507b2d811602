(** What can be counted: steals, forks, waits for locks and channels, batches, the machine. *)

type waits = {
  kind : [ `Lock | `Channel ];
  call : string;  (** such as ["Weft.Mutex.lock"] *)
  calls : string list;  (** all calls that waited for it, that one first *)
  number : int option;  (** of the lock or channel *)
  latency : Latency.t;
  moments : Intervals.t;  (** when somebody waited for it *)
  most : int;  (** how many waited at the same time *)
  by : (string * int) list;  (** on which worker the waits began, and how many; the most first *)
}

type batches = {
  structure : int option;
  sizes : Latency.t;  (** numbers of operations instead of ns *)
  parallel : int;  (** how many of them were run in parallel *)
  time : int;  (** ns in all *)
}

type machine = {
  processors : int;  (** that the machine has *)
  stolen : float;  (** share of their time that the hypervisor gave to others *)
}

type process = {
  processors : int option;  (** that it might use, by affinity; [None] if the trace does not say *)
  cpu : int;  (** ns in which the program's threads ran, all together *)
  waiting : int;  (** ns in which they could have run, but the system let others *)
}

val steals : Trace.t -> (string * string * int) list
(** Thief, victim, how often; the most first. The victim is ["?"] where the trace does not say. *)

val forks : Trace.t -> int option
(** During the time that the trace shows, as far as workers have told; [None] if it does not say. *)

val waits : Trace.t -> waits list
(** The longest in all first. Waits for conditions count among the channels: they are no contention. *)

val batches : Trace.t -> batches list
val machine : Trace.t -> machine option

val process : Trace.t -> process option
(** During the whole trace; [None] if it does not say, or is too short to. *)

val processors : Trace.t -> int option
(** That the program could have: those of the machine, or fewer if it might not use them all. [None] if the
    trace says neither. *)

val series_named : string -> Trace.t -> Trace.series list
(** The counter's values that have samples. *)

val lost : Trace.t -> int
(** Events that nobody read in time, during the time that the trace shows. *)

val last : Trace.t -> float option
(** The trace shows only so many seconds before the end ([weft trace --last]). *)
