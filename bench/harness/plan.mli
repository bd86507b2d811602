(** What one call of [weft bench] measures: the user's choice, and the configurations that follow from it. *)

type sweep = By_cutoff | By_size  (** what is varied; each benchmark has its own values for it *)

type choice = {
  benchmarks : Benchmark.t list;
  leave_out : bool;
      (** whether benchmarks for which nothing is left are left out; otherwise they are errors *)
  methods : Contestant.t list option;  (** [None]: all *)
  domains : int list;
  cutoffs : int option list option;  (** [None]: each benchmark's own *)
  sizes : int list option;  (** [None]: each benchmark's own *)
  sweep : sweep list;  (** what to vary, of cutoffs and sizes that are [None] above *)
  quick : bool;  (** whether to use each benchmark's quick size, if the size is not chosen or varied *)
}

val of_all : Benchmark.t list -> choice
(** [of_all benchmarks] is all that they have by default, on 1 and on 2 domains. *)

type config = {
  benchmark : Benchmark.t;
  contestant : Contestant.t;
  params : Benchmark.params;
  work : Benchmark.work;
}
(** One row of the result, with all that is needed to run it. *)

val make : choice -> (config list, string) result
(** [make choice] is every configuration that was chosen and makes sense, each once, in the order of the
    table: by benchmark, size and cutoff as given, first the plain programs, then by number of domains. A
    plain program appears once for each benchmark and size. A benchmark without a cutoff has only the default
    case. All cases of a sweep by cutoff have the same size. [Error] is one line for the user: a size is out
    of range, only cutoffs are chosen for a benchmark that has none, nothing is left for a benchmark, or
    nothing is left at all. *)

val describe : config -> string
(** [describe c] names the configuration in one line: ["fib 36, no cutoff, par, 2 domains"]. *)
