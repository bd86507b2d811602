(** What the collector did, and how much time it took from work. *)

type t = {
  minor : int;  (** the number of minor collections, each counted once, not once per domain *)
  minor_time : int;
      (** ns within work, of all domains, as in the next fields; each phase counts without the phases inside
          it *)
  major_time : int;
  waiting_time : int;  (** waiting until all domains had stopped, or gone on *)
  other_time : int;  (** other phases, such as changing the size of the minor heap *)
  steady_time : int;
      (** [minor_time], [major_time] and [other_time] as they would be if the machine had interrupted no
          phase: one that took much longer than others of its name counts as their mean *)
  promoted_words : float option;
  allocated_words : float option;
}

val of_trace : Trace.t -> t
