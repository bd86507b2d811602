(** What one call of [weft bench] measures: the choice, and the configurations that follow from it. *)

type sweep = By_cutoff | By_size  (** what is varied, as each benchmark finds it instructive *)

type choice = {
  benchmarks : Benchmark.t list;
  leave_out : bool;  (** whether those of which nothing is left are left out; else they are errors *)
  methods : Contestant.t list option;  (** [None]: all *)
  domains : int list;
  cutoffs : int option list option;  (** [None]: each benchmark's own *)
  sizes : int list option;  (** [None]: each benchmark's own *)
  sweep : sweep list;  (** of what is [None] above *)
  quick : bool;  (** at each benchmark's quick size, if it is not chosen or varied *)
}

val of_all : Benchmark.t list -> choice
(** [of_all benchmarks] is all there is of them on 1 and on 2 domains, as usual. *)

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
    All cases of a sweep by cutoff have the same size. [Error] is one line for the user: a size out of range,
    only cutoffs for a benchmark that has none, a benchmark for which nothing is left, or nothing at all. *)

val describe : config -> string
(** [describe c] names the configuration in one line: ["fib 36, no cutoff, par, 2 domains"]. *)
