(** Stored baselines: how many times longer than the sequential program each method took. Ratios say more than
    times where machines differ. *)

open Weft_bench_harness

type row = {
  bench : string;
  grain : Benchmark.grain;  (** its text is empty *)
  method_ : string;
  role : Contestant.role;  (** never [Baseline]: those are what the others are compared with *)
  domains : int;
  cutoff : int option;
  size : int;
  ratios : float list;
      (** for each round, the time over that of the sequential program in the same round; not empty *)
  ratio : float;  (** their median *)
  speed_up : float option;  (** see {!Row.t} *)
}

type t = {
  header : Header.t;  (** that of the results, but for its kind *)
  rows : row list;  (** not empty; no two are of the same configuration *)
}

val ratios : Row.t list -> Row.t -> float list
(** [ratios rows row] are those ratios: empty if the sequential program of the same benchmark and size is not
    among [rows], if [row] is that program, is paced, or was stopped at its time limit. Rounds that only one
    of them has seen are left out. *)

val of_results : Results.t -> (t, string) result
(** [of_results results] has a row for each row that has ratios. [Error] is one line: there is none. *)

val to_json : t -> Yojson.Safe.t

val of_json : Yojson.Safe.t -> (t, string) result
(** [of_json json] is read as strictly as {!Results.of_json} reads. *)
