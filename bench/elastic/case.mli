(** The cases of [weft bench elastic]: which programs run, how wide, and beside what. *)

open Weft_bench_harness

(** What else goes on while a program is measured. *)
type condition =
  | Alone
  | Neighbour  (** a process that keeps one processor busy *)
  | Twin  (** the same program in another process *)
  | Quota of float  (** a control group that may use so many processors' time *)

type program = {
  label : string;  (** as in [--workload] *)
  benchmark : Benchmark.t;
  methods : string list;  (** of the benchmark's, by name *)
  cutoff : int option;
  size : float -> int;  (** for the share of the usual work: 1 is all *)
}

type t = {
  name : string;  (** as in [--case] *)
  group : string option;  (** a name for this case and others together *)
  doc : string;  (** one line, no full stop *)
  condition : condition;
  programs : program list;
  quick_share : float;  (** of the usual work, for runs of some hundredths of a second *)
  domains : int list;  (** those that are usual *)
  any_domains : bool;  (** whether others can be asked for *)
  compare : Row.t list -> Row.t -> Row.figure list;
      (** [compare rows row]: figures against other rows of the case *)
}

val all : t list
(** In the order in which they are shown. *)

val row_name : t -> program -> string
(** [row_name case program] is what rows are called: ["crowded_fib"]. *)
