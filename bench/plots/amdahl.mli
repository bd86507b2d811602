(** Amdahl's law, fitted: on [p] domains a program takes [one * (serial + (1 - serial) / p)] seconds. *)

type t = {
  one : float;  (** the fitted seconds on one domain *)
  serial : float;  (** the part of them that no domain shares, from 0 to 1 *)
}

val fit : (int * float) list -> t option
(** [fit points] minimises the sum of the squares of the relative errors over [points], pairs of a number of
    domains and of the seconds taken on them. Where the best serial part would be below 0 (more than linear
    speed-up) or above 1 (slower on more), it is 0 or 1. [None] unless there are two different numbers of
    domains, all at least 1, and all times are positive; and if these are so far apart that the computation is
    not exact enough. *)

val seconds : t -> float -> float
(** [seconds law p] is the time that [law] gives for [p] domains. *)
