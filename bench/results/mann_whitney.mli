(** The test of Mann and Whitney: do the values of two samples tend to differ?

    H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger
    than the other", Annals of Mathematical Statistics 18 (1947), 50-60. It looks at the order of the values
    only: so one run that was disturbed counts as one, however long it took. *)

type t = {
  u : float;
      (** of how many pairs, one value of each sample, the first is the greater; equal ones count one half *)
  p : float;
      (** two-sided: how probable a [u] at least this far from the middle is, if both come from the same
          distribution *)
  exact : bool;  (** whether [p] was counted out, or comes from the normal distribution *)
}

val test : float list -> float list -> t
(** [test xs ys] counts [p] out if no two values are equal and there are at most 400 pairs: each choice of
    ranks for [xs] is as likely as any other. Else it takes the normal approximation, with the correction for
    continuity and that for equal values (E. L. Lehmann, "Nonparametrics", 1975, section 1.4).
    @raise Invalid_argument if a sample is empty. *)

val least_p : int -> int -> float
(** [least_p m n] is the least [p] that samples of [m] and [n] different values can have: with too few runs,
    no difference is significant. *)
