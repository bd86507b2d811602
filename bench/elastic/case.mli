(** The cases of [weft bench elastic]: which programs run, on how many domains, and beside what. *)

open Weft_bench_harness

(** What else runs while a program is measured. *)
type condition =
  | Alone
  | Neighbours of int  (** so many processes that keep a processor busy each *)
  | Twin  (** the same program in another process *)
  | Quota of float  (** a control group that may use the time of so many processors *)

type program = {
  label : string;  (** its name in [--workload] *)
  benchmark : Benchmark.t;
  methods : string list;  (** the names of the benchmark's methods that take part *)
  cutoff : int option;
  size : float -> int;  (** the size for a share of the usual work; 1 is all of it *)
}

type t = {
  name : string;  (** its name in [--case] *)
  group : string option;  (** the name of a group of cases that includes this one *)
  doc : string;  (** one line, no full stop *)
  condition : condition;
  programs : program list;
  quick_share : float;
      (** the share of the usual work in quick runs, which take some hundredths of a second *)
  domains : int list;  (** the default numbers of domains *)
  any_domains : bool;  (** whether the user can choose other numbers of domains *)
  compare : Row.t list -> Row.t -> Row.figure list;
      (** [compare rows row]: figures against other rows of the case *)
}

val all : t list
(** In the order in which they are shown. *)

val row_name : t -> program -> string
(** [row_name case program] is the name of the rows, such as ["crowded_fib"]. *)
