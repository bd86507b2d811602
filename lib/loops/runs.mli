(** Sorted runs of array elements: the sequential steps of a merge sort.

    There is one module for each kind of element, so that the compiler knows how to read and write it; the
    part of the sort that forks ({!Merge_sort}) is the same for all. Those with a comparison are made of the
    pieces in [runs/] by [dune]: a functor over reads and writes would make a call of each, since only flambda
    looks through functors. Ranges include both ends, and are never empty. Nothing here trusts the comparison:
    whatever it answers, no index leaves the ranges, and elements are moved, never lost. *)

type found =
  | Rising  (** in order already; nothing was moved *)
  | Falling  (** each less than the one before; nothing was moved *)
  | Sorted  (** now in order, at the destination *)

type cursor = { mutable left : int; mutable right : int }
(** How far a merge has come in its two runs. *)

module type S = sig
  type order
  type t

  val few : int
  (** At most so many elements are sorted by {!sort_few}. *)

  val create : t -> t
  (** [create a] is a new array of the same length, with arbitrary contents. *)

  val length : t -> int

  val in_order : order -> t -> int -> t -> int -> bool
  (** [in_order order a i b j]: element [i] of [a] is not greater than element [j] of [b]. *)

  val sort_few : order -> t -> t -> int -> int -> found
  (** [sort_few order a b first last] sorts that range of [a] to the same range of [b], which may be [a]
      itself. [a] holds the same elements in any case, also if the comparison raises. *)

  val merge : order -> cursor -> t -> int -> int -> t -> int -> unit
  (** [merge order c a left_end right_end b k] merges two ranges of [a], from [c.left] and from [c.right] on,
      to [b] from [k] on, until it comes to [left_end] in the one or to [right_end] in the other (exclusive);
      it leaves in [c] where it is. Neither range may be empty. Of equal elements the left ones come first. *)

  val copy : t -> int -> t -> int -> int -> unit
  (** [copy a i b j n] copies [n] elements, [n >= 0]; the ranges must not overlap. *)

  val put_back : t -> t -> int -> int -> unit
  (** [put_back a b first n] copies [n] elements from [first] on to the same places of [b]. For clean-up: one
      call of a primitive of the runtime's, without a safepoint, so that neither a cancellation nor a full
      stack stops it in the middle. It never suspends and never raises. *)

  val swap : t -> int -> int -> unit
end
