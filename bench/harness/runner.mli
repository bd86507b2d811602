(** Runs a plan. *)

type measured = {
  config : Plan.config;
  samples : Meter.sample list;  (** in the order of the runs; not empty *)
  figures : Figure.t list list;  (** the figures of each run, in the same order *)
}

type failure =
  | Wrong of Plan.config * Benchmark.wrong  (** the computation ended with a result that fails its check *)
  | Raised of Plan.config * exn  (** it ended with an exception *)

val failed : failure -> Plan.config
(** The configuration that has failed. *)

val pp_failure : Format.formatter -> failure -> unit
(** Prints one line: the configuration, what was expected, and what came instead. *)

val once : Plan.config -> (Meter.sample * Figure.t list, failure) result
(** [once config] measures one run, and checks its result. *)

val run :
  ?warm_up:bool ->
  runs:int ->
  progress:(round:int -> Plan.config -> unit) ->
  Plan.config list ->
  (measured list, failure) result
(** [run ~runs ~progress configs] runs all of [configs] once in a round that warms up (round 0: checked, not
    measured; left out if [warm_up] is false) and once in each of the rounds 1 to [runs], in the order of
    {!Rounds.order}. The result is in the order of [configs]. The run ends at the first failure: no time is
    kept of a wrong result. [progress] is called before each run.
    @raise Invalid_argument if [runs < 1]. *)

(** {1 Sessions} *)

type session
(** Configurations and what has been measured of them. *)

val session : ?may_fail:(Contestant.t -> bool) -> Plan.config list -> session
(** [session configs] is a session that has measured nothing yet. If a contestant fails for which [may_fail]
    is true (by default it is for none), the run does not end: the contestant is dropped. *)

val run_session :
  ?warm_up:bool ->
  ?dropped:(failure -> Plan.config list -> unit) ->
  runs:int ->
  progress:(round:int -> Plan.config -> unit) ->
  session ->
  (unit, failure) result
(** [run_session ~runs ~progress session] is {!run}, but a signal handler may look at the session meanwhile:
    the runs are {!Interrupts.amid}. If a contestant that [may_fail] fails, it takes no further part in that
    benchmark, at any size, cutoff or number of domains, and what was measured of it there is forgotten.
    [dropped] is called with the failure and its configurations. *)

val dropped : session -> (failure * Plan.config list) list
(** [dropped session] are the failures and the configurations that have been dropped, in order. *)

val complete_rounds : session -> int
(** [complete_rounds session] is how many measured rounds are complete, with a run of every configuration. *)

val measured : session -> measured list
(** [measured session] is what was measured in the complete rounds, so that all have the same number of runs.
    If no round is complete, it is what there is of the first. *)
