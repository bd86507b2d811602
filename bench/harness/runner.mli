(** Runs a plan. *)

type measured = {
  config : Plan.config;
  samples : Meter.sample list;  (** in the order of the runs; not empty *)
  figures : Figure.t list list;  (** those of each run, in the same order *)
}

type failure =
  | Wrong of Plan.config * Benchmark.wrong  (** the computation ended with a result that fails its check *)
  | Raised of Plan.config * exn  (** it ended with an exception *)

val failed : failure -> Plan.config
(** What has failed. *)

val pp_failure : Format.formatter -> failure -> unit
(** Prints one line: the configuration, and what was expected and came. *)

val once : Plan.config -> (Meter.sample * Figure.t list, failure) result
(** [once config] measures one run, and checks it. *)

val run :
  ?warm_up:bool ->
  runs:int ->
  progress:(round:int -> Plan.config -> unit) ->
  Plan.config list ->
  (measured list, failure) result
(** [run ~runs ~progress configs] runs all of [configs] once in a round that warms up (round 0: checked, not
    measured; left out if [warm_up] is false) and once in each of the rounds 1 to [runs], in the order of
    {!Rounds.order}. The answer is in the order of [configs]. It ends at the first failure: a wrong result is
    never a time. [progress] is called before each run.
    @raise Invalid_argument if [runs < 1]. *)

(** {1 What there is so far} *)

type session
(** Configurations and what has been measured of them. *)

val session : ?may_fail:(Contestant.t -> bool) -> Plan.config list -> session
(** [session configs] is one of which nothing has been measured. A contestant that [may_fail] (none, unless
    given) does not end the run by its failure: it is dropped. *)

val run_session :
  ?warm_up:bool ->
  ?dropped:(failure -> Plan.config list -> unit) ->
  runs:int ->
  progress:(round:int -> Plan.config -> unit) ->
  session ->
  (unit, failure) result
(** [run_session ~runs ~progress session] is {!run}, which may be looked at from a signal handler: the runs
    are {!Interrupts.amid}. If a contestant fails that may, it takes no further part in that benchmark, at no
    size, cutoff or number of domains, and what it was measured at there before is forgotten: [dropped] is
    called with the failure and its configurations. *)

val dropped : session -> (failure * Plan.config list) list
(** [dropped session] are those that have been dropped, in order. *)

val complete_rounds : session -> int
(** [complete_rounds session] is how many measured rounds all configurations have been run in. *)

val measured : session -> measured list
(** [measured session] is what was measured in these rounds, so that all have the same number of runs; if
    there are none, what has been measured in the first round, of those that have been run in it. *)
