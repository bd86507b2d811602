(** What the collector did, while there was work. *)

type t = {
  minor : int;  (** each counted once, not once per domain *)
  minor_time : int;
      (** ns within work, of all domains, as those that follow; of each phase without those inside it *)
  major_time : int;
  waiting_time : int;  (** until all domains had stopped, or gone on *)
  other_time : int;  (** such as changing the size of the minor heap *)
  steady_time : int;
      (** [minor_time], [major_time] and [other_time], where what took much longer than its like counts as the
          mean of those: as if no phase had been interrupted because the machine ran something else *)
  promoted_words : float option;
  allocated_words : float option;
}

val of_trace : Trace.t -> t
