(** What the figures mean, and what to do. *)

type kind =
  | Balanced  (** nothing to mend *)
  | Too_little_parallelism
  | Long_block  (** one block of a loop, or one iteration, was long while others waited *)
  | Large_chunk  (** likewise, and its size looks forced *)
  | Lock_contention
  | Channel_waits  (** workers idle while fibers waited for channels or conditions *)
  | Blocking_calls
  | Gc_bound
  | Oversubscribed  (** more workers at work than processors *)
  | Machine_busy  (** the hypervisor gave processor time to others *)
  | Events_lost

val kind_name : kind -> string
(** Such as ["lock_contention"]. *)

type t = {
  kind : kind;
  share : float;  (** what it costs: a part of the workers' time in the stretch, 0 to 1 *)
  region : string option;  (** [None]: the whole program *)
  worker : string option;  (** whom it hit most *)
  place : (int * int) option;  (** where to look in the trace: ns *)
  numbers : (string * Yojson.Safe.t) list;  (** facts; [doc/profiling.md] lists them *)
  text : string;  (** one or two sentences *)
  advice : string;  (** what to do; empty if nothing *)
}

val diagnose : Trace.t -> Workers.t array -> waits:Activity.waits list -> t list
(** The dearest first; what holds for a region that explains the same of the whole program is said of the
    region only. Never empty: [Balanced] alone if there is nothing else. *)
