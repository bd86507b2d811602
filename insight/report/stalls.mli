(** Fibers that blocked their workers: by a system call, say, or a lock of the system. *)

type stall = {
  time : int;  (** ns for which the thread was blocked *)
  start : int;  (** within [start] to [stop] *)
  stop : int;
  worker : string;
  region : string option;  (** in which it was, as far as the trace tells *)
}

val of_trace : Trace.t -> Workers.t array -> losses:Losses.t -> stall list
(** The longest first. What may have another reason is no stall: collections, where waiting for other domains
    blocks, too; a domain that begins meanwhile, since Weft starts its own so; other workers that had no
    processor but for 3 ms of that time, and may have held a lock; events that were lost. *)

val findings :
  Trace.t ->
  Workers.t array ->
  losses:Losses.t ->
  outliers:Outliers.t list ->
  Finding.t list * Outliers.t list
(** One for each region, if its stalls cost a fiftieth of the workers' time, or one lasted 10 ms; and the
    outliers that this does not explain: the others are said with it. Where other programs had the processors
    for a twentieth of the time, stalls below 30 ms do not count. *)
