(** The subcommand [weft bench].

    Exit codes: 0 all results right; 1 a benchmark computed a wrong result or ended with an exception; 2 bad
    usage, or the JSON file cannot be written; 130 interrupted. Each error is one line on standard error. *)

val cmd : int Cmdliner.Cmd.t
(** [cmd] is [bench] over all benchmarks, with all rivals that are available. Its value is the exit code. *)

val of_benchmarks :
  ?on_request:Weft_bench_harness.Benchmark.t list ->
  ?large:Weft_bench_harness.Benchmark.t list ->
  ?elastic:bool ->
  ?missing:Weft_bench_harness.Contestant.missing list ->
  ?rivals:Measure.rivals ->
  Weft_bench_harness.Benchmark.t list ->
  int Cmdliner.Cmd.t
(** [of_benchmarks bs] is [bench] over [bs] instead, with [on_request] and [large] as in {!Selection.make}. If
    [elastic] (default: false), [all] includes the cases of {!Elastic_command}. [missing] (default: none) are
    the contestants that are missing; [rivals] (default: {!Measure.no_rivals}) tells which contestants are not
    Weft's. *)

val for_arguments : string array -> int Cmdliner.Cmd.t
(** [for_arguments argv] is {!cmd}, or, if [argv] begins with [weft bench elastic], the command [bench] with
    {!Elastic_command.cmd} as its subcommand; likewise for [weft bench compat]. *)
