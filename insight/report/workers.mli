(** What each worker did at each moment. *)

type state =
  | Running  (** in a job *)
  | Collecting  (** a collection has interrupted a job, or work outside a pool *)
  | Searching  (** searching for work; includes collections meanwhile *)
  | Parked  (** asleep; includes collections meanwhile *)
  | Absent  (** it had no domain: not started yet, or retired *)
  | Away  (** of worker 0, the seat of callers: nobody was there *)
  | Other  (** between two jobs and similar *)
  | Unknown  (** events were lost: until the next thing that is known of it *)

val states : state list
val state_name : state -> string

val at_work : state -> bool
(** Whether the worker was in a job, or in a collection. *)

type t = {
  name : string;  (** such as ["worker 1"]; with its pool if there are several *)
  pool : string;  (** its pool; empty if that is not known *)
  number : int;  (** in the pool; if that is not known, in the process *)
  track : int;  (** the track on which it was seen first *)
  segments : (int * int * state) array;
      (** by time, without gaps from the beginning of the trace to its end *)
}

val of_trace : Trace.t -> losses:Losses.t -> t array
(** The workers of each pool, in order. In a trace that is not Weft's, every track counts as a worker, and all
    its spans count as running. *)

val is_of : Trace.t -> t -> Trace.span -> bool
(** Whether the span says that it is the worker's. If it does not say whose it is: whether the worker was the
    first on its track. *)

val name_of : Trace.t -> t array -> Trace.span -> string
(** The name of the worker whose span it is; if it is none's, that of the track. *)

val time_in : t -> state -> int
(** ns. *)

val moments : t -> (state -> bool) -> Intervals.t
