(** Benchmarks: a problem, its sizes, and the ways to compute and check it. *)

type params = {
  size : int;  (** what it counts is the benchmark's affair *)
  cutoff : int option;  (** where the program stops forking; [None]: nowhere *)
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
    }
      -> work

type way = {
  contestant : Contestant.t;
  work : params -> work option;  (** [None] where the contestant makes no sense with these parameters *)
}
(** How one contestant solves the problem. *)

type t = {
  name : string;
  doc : string;  (** one line, no full stop *)
  size_doc : string;  (** what the size is *)
  cutoff_doc : string;  (** what the cutoff is *)
  sizes : int * int;  (** the least and the greatest size that can be checked *)
  default_cutoffs : int option list;  (** the cases that are run when no cutoff is chosen *)
  default_size : int option -> int;  (** the size for a cutoff, when no size is chosen *)
  ways : way list;  (** in the order of the table; a baseline first *)
}

val int_check : expected:int -> int -> (unit, wrong) result
(** [int_check ~expected n] is [Ok ()] if [n = expected]. *)
