(** What can be counted: steals, forks, waits for locks and channels, batches, collections, the machine. *)

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

type collections = {
  minor : int;  (** each counted once, not once per domain *)
  minor_time : int;
      (** ns within work, of all domains, as the three that follow; of each phase without those inside it *)
  major_time : int;
  waiting_time : int;  (** until all domains had stopped, or gone on *)
  other_time : int;  (** such as changing the size of the minor heap *)
  promoted_words : float option;
  allocated_words : float option;
}

val steals : Trace.t -> (string * string * int) list
(** Thief, victim, how often; the most first. The victim is ["?"] where the trace does not say. *)

val forks : Trace.t -> int option
(** During the trace; [None] if it does not say. *)

val waits : Trace.t -> waits list
(** The longest in all first. Waits for conditions count among the channels: they are no contention. *)

val batches : Trace.t -> batches list
val machine : Trace.t -> machine option
val collections : Trace.t -> collections

val lost : Trace.t -> int
(** Events that nobody read in time. *)
