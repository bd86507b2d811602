(** Two files of results, row by row. *)

type limits = {
  threshold : float;  (** how many times slower or faster counts; at least 1 *)
  alpha : float;  (** the greatest [p] that is taken for a difference; above 0, below 1 *)
}

val usual : limits
(** 1.05 and 0.05. *)

val gap : float
(** 2: how far apart a few runs must lie at least, to tell without a significance test. *)

type verdict =
  | Faster
  | Slower
  | Same  (** no difference, or too small a one *)
  | Too_few_runs  (** so few that no difference could be significant, and they are not {!far_apart} *)

type line = {
  row : Side.row;  (** as in A *)
  runs_a : int;
  runs_b : int;
  a : float;  (** medians *)
  b : float;
  ratio : float option;
      (** of the medians, how many times slower B is: of times, that of B over that of A, of rates the
          inverse; [None] if one of them is 0 *)
  p : float;  (** of {!Mann_whitney.test} *)
  exact : bool;  (** see there *)
  verdict : verdict;
}

type t = {
  a : Side.t;
  b : Side.t;
  limits : limits;
  lines : line list;  (** of what is in both, in the order of A *)
  only_a : Side.row list;
  only_b : Side.row list;
  differences : string list;  (** in machine, compiler and settings: one line each *)
}

val far_apart : float list -> float list -> bool
(** [far_apart below above] tells whether both have two values at least, every value of [above] is at least
    {!gap} times every one of [below], and the step from the greatest of [below] to the least of [above] is,
    as a ratio, at least as large as that between any two values of the same side: so that the runs, few as
    they are, show that no disturbance of their own size explains the difference. *)

val compare : limits -> Side.t -> Side.t -> t
(** [compare limits a b] is [Slower] or [Faster] where the medians are at least [threshold] apart and [p] is
    at most [alpha], or there are too few runs for such a [p] and they are {!far_apart}; and where only one of
    the two was stopped at a time limit that is above all times of the other. *)

val count : verdict -> t -> int

val geometric_mean : plain:bool -> t -> float option
(** [geometric_mean ~plain t] is that of the ratios of the plain programs, or else of all others; [None] if
    there are none. *)

val verdict_name : verdict -> string
(** ["faster"], ["slower"], ["same"], ["too few runs"]. *)

val to_json : t -> Yojson.Safe.t
(** The keys are in [doc/results.md]. *)
