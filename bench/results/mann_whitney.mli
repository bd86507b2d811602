(** The test of Mann and Whitney: do the values of two samples tend to differ?

    H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger
    than the other", Annals of Mathematical Statistics 18 (1947), 50-60. Only the order of the values counts,
    so a disturbed run has the same weight as any other, however long it took. *)

type t = {
  u : float;
      (** the number of pairs, one value of each sample, in which the first is greater; equal values count one
          half *)
  p : float;
      (** two-sided: twice the probability of a [u] at least this far out on its side, if both come from the
          same distribution; at most 1 *)
  exact : bool;  (** whether [p] is exact, or comes from the normal approximation *)
}

val test : float list -> float list -> t
(** [test xs ys] computes the exact [p] by counting if there are at most 400 pairs: each choice of ranks for
    [xs] is as likely as any other, and equal values have the mean of their ranks. For more pairs it uses the
    normal approximation, corrected for continuity and for equal values (E. L. Lehmann, "Nonparametrics",
    1975, section 1.4). For few values that [p] would be too small: 0.064 for three against three that lie
    apart, two of them equal, where 0.1 is right.
    @raise Invalid_argument if a sample is empty. *)

val least_p : int -> int -> float
(** [least_p m n] is the least [p] that samples of [m] and [n] values can have: with too few runs, no
    difference is significant. *)
