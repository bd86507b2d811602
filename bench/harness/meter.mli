(** One measured run. *)

type sample = {
  seconds : float;  (** wall time, by the monotonic clock *)
  cpu_seconds : float;  (** processor time of the whole process, all domains together *)
  switches : Proc.switches option;  (** of the threads alive at the end; see {!Proc.switches} *)
  minor_collections : int option;  (** [None] where the work was done by who does not tell *)
  major_collections : int option;
  peak_bytes : int option;  (** greatest resident set of the process, what it had before included *)
}

val tell : sample -> unit
(** [tell sample], called in what {!measure} measures, says that the work was done by another process, and
    that [sample] is what it took there. *)

val measure : (unit -> 'a) -> 'a * sample
(** [measure f] is the result of [f ()] and what it took. The clock is read next to [f], the other counters
    around it. If [f] has called {!tell}, the sample is what it told. Raises what [f] raises. *)
