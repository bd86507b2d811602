(** What a batched structure has done so far.

    {b Cost.} Each function is O(1), on figures that are there. *)

type t = {
  in_place : int;
      (** operations of callers that found nobody at the structure, or waited awake until nobody was: applied
          in place *)
  batched : int;  (** operations that were applied as part of a batch, batches of one included *)
  batches : int;
  parallel : int;  (** batches that were given to the structure's [run]; the others were applied one by one *)
  sizes : int array;  (** element [k]: how many batches had from [2^k] to [2^(k+1) - 1] operations *)
  seconds : float;  (** spent in batches, in all *)
  wait_median : float option;
      (** seconds that callers of [exec] that lined up waited for their results, to within a factor of 1.5;
          [None]: nobody did. Of fibers of one pool that have lined up one after the other, the first one is
          counted; of threads outside of all pools, every one *)
  wait_p99 : float option;  (** likewise, exceeded by one in a hundred of these *)
  alone : float option;
      (** seconds that an operation of a batch takes if the batch is applied one by one; [None]: not known *)
  together : float option;
      (** likewise, of a batch as large as the mean one that is given to the structure's [run] *)
  cutoff : int option;  (** the smallest batch that goes to [run] now; [None]: none does *)
}

val mean_batch : t -> float
(** Operations per batch; [nan] if there was none. What was applied in place was in no batch. *)

val in_place_share : t -> float
(** The part of all operations that was applied in place, from 0 to 1. *)

val verdict : t -> string option
(** One line, if batching does not pay for this structure as it is used, with the figures that say so: callers
    hardly ever line up (they do not meet, or operations are so cheap that they wait for their turn); batches
    are small; none is run in parallel; or an operation takes hardly less time in a batch than one by one, so
    that a lock, which would apply them one by one, costs less than to line up. Nothing is said of less than a
    thousand operations. *)

val pp : Format.formatter -> t -> unit
(** Several lines: all of it, and the {!verdict}. *)
