(** What a batched structure has done so far.

    {b Where batching pays.} On two domains, tasks that only change a structure, an element or binding at a
    time, get less done than one task that owns the sequential structure; look-ups in search trees
    ({!Split_join}) get more done ([weft bench batch --domains 2]). {!verdict} says so of a structure in use.

    {b Cost.} Each function is O(1): the figures are kept all the time. *)

type t = {
  in_place : int;
      (** operations that were applied in place: their callers found the structure free, or spun until it was
      *)
  batched : int;
      (** operations that were applied as part of a batch, batches of one included; all submitted operations
          among them *)
  joined : int;
      (** of these, the calls that joined the list and waited for their batch; the others were submitted, or
          came by [exec_many], [exec_all] and the functions built on them *)
  batches : int;
  parallel : int;  (** batches that were given to the structure's [run]; the others were applied one by one *)
  sizes : int array;  (** element [k]: how many batches had from [2^k] to [2^(k+1) - 1] operations *)
  seconds : float;  (** time spent in all batches together *)
  wait_median : float option;
      (** seconds for which callers of [exec] that joined the list waited for their results, to within a
          factor of 1.5; [None]: nobody did. If fibers of one pool joined one after the other, only the first
          one is counted; of threads outside of all pools, every one *)
  wait_p99 : float option;  (** the same; one in a hundred of these waited longer *)
  alone : float option;
      (** seconds that an operation of a batch takes if the batch is applied one by one; [None]: not known *)
  together : float option;
      (** the same for a batch of the mean size that is given to the structure's [run] *)
  cutoff : int option;  (** the smallest batch that goes to [run] now; [None]: none does *)
}

val mean_batch : t -> float
(** Operations per batch; [nan] if there was none. Operations that were applied in place are in no batch. *)

val in_place_share : t -> float
(** The part of all operations that was applied in place, from 0 to 1. *)

val verdict : t -> string option
(** One line, if batching does not pay for this structure in this program, with the figures that show it and
    what to do instead: callers hardly ever join the list (they do not meet, or operations are so cheap that
    callers spin for their turn); batches are small; none is run in parallel; an operation takes no less time
    in a batch than one by one; or it takes less, but by less than some two microseconds for each call that
    joined the list, so that a lock, which would apply them one by one, costs less. Operations that are
    submitted need not save that much. [None] if there were less than a thousand operations. *)

val pp : Format.formatter -> t -> unit
(** Prints all figures, in several lines, and the {!verdict}. *)
