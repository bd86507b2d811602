(** What went on while workers were idle, in the whole trace. *)

type t = {
  locks : Intervals.t;  (** a fiber waited for a lock *)
  blocks : Trace.span list;  (** the blocks of loops *)
  steals : Intervals.t;  (** {!Stealing.moments} *)
  blocking : Intervals.t;  (** a call of [Weft.blocking] was under way *)
  world : Intervals.t;
      (** The program waited for the time or for others: a fiber slept, or waited for a socket, and nobody was
          at work. If that is a fifth of the time, the program has workers to spare, and it is whenever a
          fiber waited so. Or the program waited outside Weft: {!Outside.waited}. *)
  channels : Intervals.t;  (** a fiber waited for a channel or a condition *)
  without_processor : Intervals.t list;
      (** for each worker, when its thread could have run but had no processor, as far as is known *)
}

val of_trace : Trace.t -> Workers.t array -> waits:Activity.waits list -> t
(** Proportional to the size of the trace and the number of workers. *)
