(** Benchmarks: a problem, its sizes, and the ways to compute and check it. *)

type params = {
  size : int;  (** what it counts is the benchmark's affair *)
  cutoff : int option;  (** see {!grain} *)
  domains : int;  (** all that take part *)
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
          (** what there is to say of a right result that took [seconds], beside that time; called after
              [check]. The titles are the same for all runs of this work, those of buckets aside *)
    }
      -> work

type way = {
  contestant : Contestant.t;
  work : params -> work option;  (** [None] where the contestant makes no sense with these parameters *)
}
(** How one contestant solves the problem. *)

(** What the parameter [cutoff] means; the text says it in the benchmark's own words. *)
type grain =
  | Cutoff of string  (** where the program stops forking; [None]: nowhere *)
  | Chunk of string
      (** how many iterations of a loop run in a row at most; [None]: the default, as the library finds fit *)
  | Fixed  (** nothing: only [None] can be asked for *)

type t = {
  name : string;
  group : string option;  (** a name for this benchmark and others together *)
  doc : string;  (** one line, no full stop *)
  size_doc : string;  (** what the size is *)
  grain : grain;
  sizes : int * int;  (** the least and the greatest size that can be checked *)
  default_cutoffs : int option list;  (** the cases that are run when no cutoff is chosen *)
  default_size : int option -> int;  (** the size for a cutoff, when no size is chosen *)
  more_sizes : int list;  (** others that are run then, too *)
  quick_size : int option -> int;
      (** the size for [--quick]: some ten milliseconds of work for the sequential program *)
  sweep_cutoffs : int list;
      (** those that show what the cutoff does, in ascending order; none if the grain is [Fixed]. Without a
          cutoff is always there, too *)
  sweep_sizes : int list;  (** those that show what the size does, in ascending order *)
  paced : bool;
      (** whether pauses set the time of a run: that time is shown, but no ratio of times; the figures of the
          work are what counts *)
  ways : way list;  (** in the order of the table; the plain ones first *)
}

val chunks : int list
(** What a sweep by the chunk size tries: powers of four up to 65,536. *)

val tenths : int -> int list
(** [tenths size] is a hundredth of it, a tenth and all, for a sweep by size where work is proportional to it.
*)

val no_figures : seconds:float -> 'result -> Figure.t list
(** [no_figures] is for works whose time says all. *)

val int_check : expected:int -> int -> (unit, wrong) result
(** [int_check ~expected n] is [Ok ()] if [n = expected]. *)

val case : name:string -> grain:grain -> size:int -> int option -> string
(** [case ~name ~grain ~size cutoff] names a case of the benchmark [name]: ["fib 40, cutoff 20"],
    ["fib 36, no cutoff"], ["iota 2000000, default"], ["iota 2000000, chunk 4"], ["scan 10000000"]. *)
