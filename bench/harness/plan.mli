(** What one call of [weft bench] measures: the choice, and the configurations that follow from it. *)

type choice = {
  benchmarks : Benchmark.t list;
  methods : Contestant.t list option;  (** [None]: all *)
  domains : int list;
  cutoffs : int option list option;  (** [None]: each benchmark's own *)
  size : int option;  (** [None]: each benchmark's own *)
}

type config = {
  benchmark : Benchmark.t;
  contestant : Contestant.t;
  params : Benchmark.params;
  work : Benchmark.work;
}
(** One row of the result: all that is needed to run it. *)

val make : choice -> (config list, string) result
(** [make choice] is every configuration that was chosen and makes sense, each once, in the order of the
    table: by benchmark, size and cutoff as given, then the plain programs, then by number of domains. A plain
    program appears once for each benchmark and size. A benchmark without a cutoff has the default case only.
    [Error] is one line for the user: a size out of range, only cutoffs for a benchmark that has none, a
    benchmark for which nothing is left. *)

val describe : config -> string
(** [describe c] names the configuration in one line: ["fib 36, no cutoff, par, 2 domains"]. *)
