(** Measures one run. *)

type sample = {
  seconds : float;  (** wall time, by the monotonic clock *)
  cpu_seconds : float;  (** processor time of the whole process, all domains together *)
  switches : Proc.switches option;  (** of the threads that are alive at the end; see {!Proc.switches} *)
  minor_collections : int option;  (** [None] if another process did the work and does not tell *)
  major_collections : int option;
  peak_bytes : int option;  (** greatest resident set of the process, including what it had before *)
}

val tell : sample -> unit
(** [tell sample], called inside the function that {!measure} measures, says that another process did the
    work, and that it took [sample] there. *)

val measure : (unit -> 'a) -> 'a * sample
(** [measure f] is the result of [f ()] and what it took. The clock is read next to [f], the other counters
    around it. If [f] has called {!tell}, the sample is what it told. Raises what [f] raises. *)
