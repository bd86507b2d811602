(** Rows: the figures of one configuration, ready to print or to write as JSON. *)

type figure = {
  title : string;  (** see {!Figure.t} *)
  values : float list;  (** the value of every run, in order *)
  middle : float;  (** their median *)
}

type t = {
  bench : string;
  grain : Benchmark.grain;
  method_ : string;
  role : Contestant.role;
  paced : bool;  (** see {!Benchmark.t}; if so, there are no ratios of times and no speed-up *)
  domains : int;
  cutoff : int option;
  size : int;
  seconds : float list;  (** wall time of every run, in order *)
  median : float;  (** of [seconds] *)
  min : float;  (** of [seconds] *)
  ns_per_fork : float option;  (** median wall time over the number of forks, in nanoseconds *)
  ratio_to_sequential : float option;
      (** [median] over the median of the baseline for the same benchmark and size in the same call; [None] if
          that was not run *)
  ratio_to_default : float option;
      (** with a chunk or a cutoff: [median] over that of the same method, size and number of domains without
          one; [None] if that was not run *)
  speed_up : float option;
      (** the median of the same method and case on one domain over [median]; [None] if that was not run *)
  cpu_seconds : float;  (** median *)
  cpu_ratio : float option;
      (** [cpu_seconds] over that of the same baseline, of paced rows too; [None] if that was not run, or one
          of the two is unknown (0) *)
  cpu_runs : float list;  (** processor time of every run, in order *)
  voluntary_switches : float option;  (** median; see {!Proc.switches} *)
  involuntary_switches : float option;  (** median *)
  minor_collections : float option;  (** median; [None] if the program does not tell *)
  major_collections : float option;  (** median *)
  peak_bytes : int option;  (** the greatest of all runs *)
  figures : figure list;  (** those that the work itself gives, in the order of the work *)
}

val median : float list -> float
(** [median xs] is the middle one of [xs], or the mean of the two in the middle.
    @raise Invalid_argument if [xs] is empty. *)

val alone : Runner.measured -> t
(** [alone m] is the row of [m], without ratios to other rows. *)

val compare_all : t list -> t list
(** [compare_all rows] is [rows], each with its ratios and its speed-up against the others in place of those
    that it had before. *)

val with_cpu_ratio : t list -> t -> t
(** [with_cpu_ratio rows row] is [row] with its [cpu_ratio] against the baseline among [rows]. *)

val own_title : string
(** The title of the figure that {!of_measured} adds: ["x own sequential"]. *)

val of_measured : ?own:(string -> string option) -> Runner.measured list -> t list
(** [of_measured ms] is one row for each, in order, compared with each other. [own method_] names a plain
    program with which a method is compared besides the baseline: for a program in another language, the one
    in the same language; for one that is not the best, the one with the same steps. The row of the method
    gets a figure: for each round, its time over that of the plain program in the same round. *)

val same_problem : t -> t -> bool
(** [same_problem a b] is whether benchmark and size are the same. *)

val grain_name : Benchmark.grain -> string
(** [grain_name grain] is ["cutoff"], ["chunk"] or ["fixed"]. *)

val role_name : Contestant.role -> string
(** [role_name role] is ["baseline"], ["beside"] or ["contender"]. *)

val over_limit_title : string
(** The title of the figure that counts the runs that were stopped at a time limit. *)

val over_limit : t -> bool
(** [over_limit row] is whether some runs were stopped: then not all times are those of right results. *)

val to_json : t -> Yojson.Safe.t
(** [to_json row] is the object of [row]. [check] is ["over limit"] if runs were stopped, else ["ok"], since
    wrong results make no rows. The other keys are the names of the fields, except for ["method"]. [grain] is
    ["cutoff"], ["chunk"] or ["fixed"]; [role] is ["baseline"], ["beside"] or ["contender"]. A figure is an
    object with [title], [median] and [runs]. A cutoff is null if there is none, which for loops is the
    default setting. *)
