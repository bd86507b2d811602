(** What each worker did at each moment. *)

type state =
  | Running  (** in a job *)
  | Collecting  (** the garbage collector has interrupted that, or work outside a pool *)
  | Searching  (** for work; collections included *)
  | Parked  (** asleep; collections included *)
  | Absent  (** it had no domain: not started yet, retired, or its seat was empty *)
  | Other  (** between two jobs and the like; unknown after lost events *)

val states : state list
val state_name : state -> string

type t = {
  name : string;  (** such as ["worker 1"]; with its pool where there are several *)
  track : int;  (** where it was seen first *)
  segments : (int * int * state) array;
      (** by time, without gaps from the beginning of the trace to its end *)
}

val of_trace : Trace.t -> t array
(** Of each pool, in order. In a trace that is not Weft's every track counts as a worker, and all its spans as
    running. *)

val time_in : t -> state -> int
(** ns. *)

val moments : t -> (state -> bool) -> Intervals.t
