(** Fibers that blocked their workers: by a system call, say, or a lock of the system. *)

type stall = {
  time : int;  (** ns for which the thread was blocked *)
  start : int;  (** the thread was blocked between [start] and [stop] *)
  stop : int;
  worker : string;
  fiber : string option;  (** which, as {!Fibers.label} *)
  call : Trace.span option;  (** the call of a region in which it was, as far as the trace tells *)
}

val of_trace : Trace.t -> Workers.t array -> losses:Losses.t -> stall list
(** The stalls, the longest first. Blocked time that may have another reason does not count: collections, in
    which a thread waits for other domains; a domain that begins meanwhile, since Weft starts domains in the
    same way; another worker that had a processor for less than 3 ms of that time, since it may have held a
    lock; lost events. *)

val time_in : stall list -> Trace.span -> int
(** [time_in stalls call] is for how many ns threads were blocked in that call of a region. *)

val findings :
  Trace.t -> Workers.t array -> stall list -> outliers:Outliers.t list -> Finding.t list * Outliers.t list
(** One finding for each region whose stalls cost a fiftieth of the workers' time, or of which one lasted 10
    ms; and the outliers that no stall explains. The texts of the findings mention the other outliers. Where
    other programs had the processors for a twentieth of the time, stalls below 30 ms do not count. *)
