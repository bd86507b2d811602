(** The elements of a {!Priority_queue} that are not to leave soon: a stack of buckets, each with a range of
    priorities.

    What is in a bucket leaves before all that is in those below it. In a bucket, elements lie as they came.
    If a comparison raises, nothing has changed that can be seen.

    {b Cost}, for n elements: O(1), unless it says otherwise. {!Make.take} is amortised O(log n) comparisons
    for each element that it, or a call before it, has put in order; {!Make.fold} is O(n). *)

module Make (Order : Maps.ORDERED) : sig
  module Heap : module type of Entry_heap.Make (Order)

  type 'v t

  val create : unit -> 'v t

  val count : 'v t -> int
  (** How many buckets there are. *)

  val find : 'v t -> Order.t -> int
  (** The bucket for elements of this priority, from 0 for the lowest of the stack; [count] if they leave
      before what is in buckets. O(log (count)). *)

  val append : 'v t -> int -> 'v Heap.slot -> unit
  (** [append t i slot] puts it into bucket [i]. Amortised O(1). *)

  val reserve : 'v t -> int -> int -> unit
  (** [reserve t i n] makes room for [n] more in bucket [i]. *)

  val push : 'v t -> Order.t -> 'v Heap.slot array -> unit
  (** [push t low slots] puts a bucket of these on top, which leave before all that is in buckets; [low] is
      the least of their priorities. [slots] is not empty, and not to be used any more. Amortised O(1). *)

  val take : Grouping.for_all -> 'v t -> int -> 'v Heap.slot array list
  (** [take for_all t k] takes buckets off the top until they have [k] elements, or further down is a large
      one, and puts each in order; none only if there is none or [k <= 0]. A large one on top is divided
      before: into up to 32 parts by a sample of its priorities, or it is put in order as it is, if by that
      sample more than half of it are in one part. *)

  val fold : ('acc -> 'v Heap.slot -> 'acc) -> 'acc -> 'v t -> 'acc
  (** In no order. *)

  val check : 'v t -> unit
  (** @raise Failure if anything is where it should not be: what is wrong. *)
end
