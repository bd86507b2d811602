(** Runs a plan. *)

type measured = {
  config : Plan.config;
  samples : Meter.sample list;  (** in the order of the runs; not empty *)
  figures : Figure.t list list;  (** those of each run, in the same order *)
}

type failure =
  | Wrong of Plan.config * Benchmark.wrong  (** the computation ended with a result that fails its check *)
  | Raised of Plan.config * exn  (** it ended with an exception *)

val pp_failure : Format.formatter -> failure -> unit
(** Prints one line: the configuration, and what was expected and came. *)

val once : Plan.config -> (Meter.sample * Figure.t list, failure) result
(** [once config] measures one run, and checks it. *)

val run :
  runs:int ->
  progress:(round:int -> Plan.config -> unit) ->
  Plan.config list ->
  (measured list, failure) result
(** [run ~runs ~progress configs] runs all of [configs] once in a round that warms up (round 0: checked, not
    measured) and once in each of the rounds 1 to [runs], in the order of {!Rounds.order}. The answer is in
    the order of [configs]. It ends at the first failure: a wrong result is never a time. [progress] is called
    before each run.
    @raise Invalid_argument if [runs < 1]. *)
