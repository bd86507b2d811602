(** Compares two files of results, row by row. *)

type limits = {
  threshold : float;  (** the least factor, slower or faster, that counts as a difference; at least 1 *)
  alpha : float;  (** the greatest [p] that counts as a difference; above 0, below 1 *)
}

val usual : limits
(** The default limits: 1.05 and 0.05. *)

val gap : float
(** 2: the least factor between a few runs that shows a difference without a significance test. *)

type verdict =
  | Faster
  | Slower
  | Same  (** no difference, or too small a one *)
  | Too_few_runs  (** so few runs that no difference could be significant, and they are not {!far_apart} *)

type line = {
  row : Side.row;  (** the row in A *)
  runs_a : int;
  runs_b : int;
  a : float;  (** the medians *)
  b : float;
  ratio : float option;
      (** by the medians, how many times slower B is: for times B divided by A, for rates A divided by B;
          [None] if one of them is 0 *)
  p : float;  (** the [p] of {!Mann_whitney.test} *)
  exact : bool;  (** whether {!Mann_whitney.test} computed [p] exactly *)
  verdict : verdict;
}

type t = {
  a : Side.t;
  b : Side.t;
  limits : limits;
  lines : line list;  (** the rows that both have, in the order of A *)
  only_a : Side.row list;
  only_b : Side.row list;
  differences : string list;  (** the differences in machine, compiler and settings: one line each *)
}

val far_apart : float list -> float list -> bool
(** [far_apart below above] tells whether a few runs lie clearly apart: both sides have at least two values;
    every value of [above] is at least {!gap} times every value of [below]; and the ratio of the least of
    [above] to the greatest of [below] is at least as large as the ratio of any two values of the same side.
    Then no disturbance as large as those within a side explains the difference. *)

val compare : limits -> Side.t -> Side.t -> t
(** [compare limits a b] is [Slower] or [Faster] in two cases. Either the medians differ at least by the
    factor [threshold], and [p] is at most [alpha] or, with too few runs for such a [p], the runs are
    {!far_apart}. Or only one of the two was stopped at a time limit, and that limit is above all times of the
    other. *)

val count : verdict -> t -> int

val geometric_mean : plain:bool -> t -> float option
(** [geometric_mean ~plain t] is the geometric mean of the ratios, with [plain] of the plain programs, else of
    all other rows; [None] if there are none. *)

val verdict_name : verdict -> string
(** ["faster"], ["slower"], ["same"], ["too few runs"]. *)

val to_json : t -> Yojson.Safe.t
(** The keys are in [doc/results.md]. *)
