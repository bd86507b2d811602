(** A scenario: some processes, what must hold at the end of each run, and what must have happened in some
    run. *)

type t = {
  name : string;
  long : bool;  (** too large for each [dune runtest] *)
  outcomes : string list;  (** all the ways in which runs end: none may be missing, and none more may occur *)
  set_up : unit -> unit -> string;  (** as {!Explore.all} takes it *)
}

val check : against:Explore.algorithm -> t -> (Explore.report, string) result
(** Explores the scenario, and once more with the algorithm [against], which must find nothing new: dscheck
    leaves out all runs that it takes for equal to one it has done, and a mistake in that would go unnoticed.
    The error says what went wrong, with the schedule of the run that broke a promise. *)

val explore : ?by:Explore.algorithm -> t -> (Explore.report, string) result
(** Explores the scenario once, whatever the outcomes are. *)
