(** Steals: what they cost, and what for. *)

type t = {
  searches : int;  (** that began when other workers had jobs *)
  at_hand : float;  (** how many jobs these had then, on average *)
  cost : int option;  (** ns: median of those of these searches that found a job *)
  gain : int option;  (** ns: median of the stolen jobs *)
}

val moments : Trace.t -> Intervals.t
(** The first 0.1 ms of each search for a job that began when other workers had jobs. Only the first, since
    they may have done these jobs by then. *)

val of_trace : Trace.t -> t
