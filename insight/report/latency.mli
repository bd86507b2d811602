(** How long things took: the facts about a set of durations. *)

type t = {
  count : int;
  total : int;  (** ns, as all that follow *)
  mean : float;
  least : int;
  p50 : int;
  p90 : int;
  p99 : int;
  p999 : int;
  greatest : int;
  histogram : (int * int) list;
      (** upper bounds, 1, 2 or 5 times a power of ten, and how many are not above it but above the one
          before; from the first that is not zero to the last *)
}

val of_durations : int array -> t option
(** [None] of none. Sorts the array. *)

val percentile : int array -> int * int -> int
(** [percentile sorted (n, d)] is the nearest rank: the least element such that [n/d] of all elements are not
    above it. The array is sorted and not empty. *)
