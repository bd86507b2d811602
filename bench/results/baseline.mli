(** Stored baselines: the time of each method divided by that of the sequential program. Between different
    machines, ratios compare better than times. *)

open Weft_bench_harness

type row = {
  bench : string;
  grain : Benchmark.grain;  (** the text in it is empty *)
  method_ : string;
  role : Contestant.role;  (** never [Baseline], with which the others are compared *)
  domains : int;
  cutoff : int option;
  size : int;
  ratios : float list;
      (** for each round, the time divided by that of the sequential program in the same round; not empty *)
  ratio : float;  (** their median *)
  speed_up : float option;  (** see {!Row.t} *)
}

type t = {
  header : Header.t;  (** the header of the results, with another kind *)
  rows : row list;  (** not empty; no two are of the same configuration *)
}

val ratios : Row.t list -> Row.t -> float list
(** [ratios rows row] are the ratios of [row]. They are empty if [rows] does not contain the sequential
    program of the same benchmark and size, or if [row] is that program, is paced, or was stopped at its time
    limit. Rounds that only one of the two has are left out. *)

val of_results : Results.t -> (t, string) result
(** [of_results results] has a row for each row that has ratios. [Error] is one line: no row has ratios. *)

val to_json : t -> Yojson.Safe.t

val of_json : Yojson.Safe.t -> (t, string) result
(** [of_json json] is the baseline in [json], checked as strictly as by {!Results.of_json}. *)
