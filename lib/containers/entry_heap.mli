(** The entries of a {!Priority_queue}, and a binary heap of them (Williams, Algorithm 232, 1964).

    Each function but [sort] makes all its comparisons before it changes anything, so a comparison that raises
    does no harm.

    {b Cost.} O(1), unless it says otherwise; {!Make.check} O(n), to sort m entries O(m log m). *)

module Make (Order : Maps.ORDERED) : sig
  (** A place in an array: an element with its priority, and its number in the order of arrival. *)
  type 'v slot = Vacant | Entry of { priority : Order.t; value : 'v; arrival : int }

  val before : 'v slot -> 'v slot -> bool
  (** Whether the first slot's element leaves before the second's: by priority, then by arrival. Neither may
      be vacant. *)

  val sort : 'v slot array -> unit
  (** O(n log n) comparisons, fewer than n if the array is sorted already. If a comparison raises, the
      contents are lost. *)

  type 'v t

  val create : unit -> 'v t
  val size : 'v t -> int

  val first : 'v t -> 'v slot
  (** The slot of the element that leaves first; [Vacant] if there is none. O(1). *)

  val push : 'v t -> 'v slot -> unit
  (** Amortised O(log n), O(1) on average if the order is random. *)

  val pop : 'v t -> unit
  (** Removes {!first}, which must exist. O(log n). *)

  val contents : 'v t -> 'v slot array
  (** In no order. O(n). *)

  val clear : 'v t -> unit

  val check : 'v t -> unit
  (** @raise Failure if it is no heap. *)
end
