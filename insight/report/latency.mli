(** Statistics of a set of durations. *)

type t = {
  count : int;
  total : int;  (** ns, as in the next fields *)
  mean : float;
  least : int;
  p50 : int;
  p90 : int;
  p99 : int;
  p999 : int;
  greatest : int;
  histogram : (int * int) list;
      (** pairs of an upper bound (1, 2 or 5 times a power of ten, or [max_int]) and the number of durations
          up to it, but above the bound before; from the first to the last that is not zero *)
}

val of_durations : int array -> t option
(** [None] if the array is empty. Sorts the array. *)

val percentile : int array -> int * int -> int
(** [percentile sorted (n, d)] is the nearest rank: the least element such that [n/d] of all elements are not
    above it. The array is sorted and not empty. *)
