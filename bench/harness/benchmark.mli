(** Benchmarks: a problem, its sizes, and the ways to compute and check it. *)

type params = {
  size : int;  (** each benchmark says what it counts *)
  cutoff : int option;  (** see {!grain} *)
  domains : int;  (** how many domains take part, the calling one included *)
}

type wrong = { expected : string; got : string }
(** Why a result is not accepted. *)

(** One computation, ready to run. *)
type work =
  | Work : {
      prepare : unit -> 'input;
          (** makes fresh input; called before every run, not timed, outside any pool *)
      compute : 'input -> 'result;  (** the timed part; called inside the contestant *)
      check : 'result -> (unit, wrong) result;  (** called after every run, not timed *)
      forks : int option;  (** how many forks [compute] makes, if forking is most of what it does *)
      figures : seconds:float -> 'result -> Figure.t list;
          (** the figures of a right result that took [seconds], beside that time; called after [check]. All
              runs of this work give the same titles, except for those of buckets *)
    }
      -> work

type way = {
  contestant : Contestant.t;
  work : params -> work option;  (** [None] if the contestant makes no sense with these parameters *)
}
(** How one contestant solves the problem. *)

(** What the parameter [cutoff] means; the text says it for the benchmark at hand. *)
type grain =
  | Cutoff of string  (** where the program stops forking; with [None] it never does *)
  | Chunk of string
      (** how many iterations of a loop run in a row at most; with [None] the library chooses *)
  | Fixed  (** it means nothing: only [None] can be asked for *)

type t = {
  name : string;
  group : string option;  (** the name of a group that this benchmark belongs to *)
  doc : string;  (** one line, no full stop *)
  size_doc : string;  (** what the size is *)
  grain : grain;
  sizes : int * int;  (** the least and the greatest size that can be checked *)
  default_cutoffs : int option list;  (** the cases that are run when no cutoff is chosen *)
  default_size : int option -> int;  (** the size for a cutoff, when no size is chosen *)
  more_sizes : int list;  (** other sizes that are run then, too *)
  quick_size : int option -> int;
      (** the size for [--quick]: some ten milliseconds of work for the sequential program *)
  sweep_cutoffs : int list;
      (** cutoffs that show what the cutoff does, in ascending order; none if the grain is [Fixed]. A sweep
          also runs without a cutoff *)
  sweep_sizes : int list;  (** sizes that show what the size does, in ascending order *)
  paced : bool;
      (** whether pauses set the time of a run: then that time is shown, but no ratios of times; the figures
          of the work are what counts *)
  ways : way list;  (** in the order of the table; the plain ones first *)
}

val chunks : int list
(** The chunk sizes of a sweep: powers of four up to 65,536. *)

val tenths : int -> int list
(** [tenths size] is a hundredth of [size], a tenth, and all of it, for a sweep by size where work is
    proportional to the size. *)

val no_figures : seconds:float -> 'result -> Figure.t list
(** [no_figures] gives none, for works that are described by their time alone. *)

val int_check : expected:int -> int -> (unit, wrong) result
(** [int_check ~expected n] is [Ok ()] if [n = expected]. *)

val case : name:string -> grain:grain -> size:int -> int option -> string
(** [case ~name ~grain ~size cutoff] names a case of the benchmark [name]: ["fib 40, cutoff 20"],
    ["fib 36, no cutoff"], ["iota 2000000, default"], ["iota 2000000, chunk 4"], ["scan 10000000"]. *)
