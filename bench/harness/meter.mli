(** One measured run. *)

type sample = {
  seconds : float;  (** wall time, by the monotonic clock *)
  cpu_seconds : float;  (** processor time of the whole process, all domains together *)
  switches : Proc.switches option;  (** of the threads alive at the end; see {!Proc.switches} *)
  minor_collections : int;
  major_collections : int;
  peak_bytes : int option;  (** greatest resident set of the process, what it had before included *)
}

val measure : (unit -> 'a) -> 'a * sample
(** [measure f] is the result of [f ()] and what it took. The clock is read next to [f], the other counters
    around it. Raises what [f] raises. *)
