(** The test of Mann and Whitney: do the values of two samples tend to differ?

    H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger
    than the other", Annals of Mathematical Statistics 18 (1947), 50-60. It looks at the order of the values
    only: so one run that was disturbed counts as one, however long it took. *)

type t = {
  u : float;
      (** of how many pairs, one value of each sample, the first is the greater; equal ones count one half *)
  p : float;
      (** two-sided: twice the probability of a [u] at least this far out on its side, if both come from the
          same distribution; at most 1 *)
  exact : bool;  (** whether [p] was counted out, or comes from the normal distribution *)
}

val test : float list -> float list -> t
(** [test xs ys] counts [p] out if there are at most 400 pairs: each choice of ranks for [xs] is as likely as
    any other, and equal values have the mean of their ranks. For more pairs it takes the normal
    approximation, with the correction for continuity and that for equal values (E. L. Lehmann,
    "Nonparametrics", 1975, section 1.4), which is too small for few values: 0.064 for three against three
    that lie apart, two of them equal, where 0.1 is right.
    @raise Invalid_argument if a sample is empty. *)

val least_p : int -> int -> float
(** [least_p m n] is the least [p] that samples of [m] and [n] values can have: with too few runs, no
    difference is significant. *)
