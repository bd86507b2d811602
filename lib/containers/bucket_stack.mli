(** The elements of a {!Priority_queue} that will not leave soon: a stack of buckets, each with a range of
    priorities.

    The elements of a bucket leave before all those in the buckets below it. Within a bucket, elements lie in
    the order in which they came. If a comparison raises, nothing has changed that can be seen.

    {b Cost}, for n elements: O(1), unless it says otherwise. {!Make.take} is amortised O(log n) comparisons
    for each element that it, or a call before it, has put in order; {!Make.fold} is O(n). *)

module Make (Order : Maps.ORDERED) : sig
  module Heap : module type of Entry_heap.Make (Order)

  type 'v t

  val create : unit -> 'v t

  val count : 'v t -> int
  (** How many buckets there are. *)

  val find : 'v t -> Order.t -> int
  (** The number of the bucket for elements of this priority, from 0 for the lowest of the stack; [count] if
      they leave before all that is in buckets. O(log (count)). *)

  val append : 'v t -> int -> 'v Heap.slot -> unit
  (** [append t i slot] puts [slot] into bucket [i]. Amortised O(1). *)

  val reserve : 'v t -> int -> int -> unit
  (** [reserve t i n] makes room for [n] more elements in bucket [i]. *)

  val push : 'v t -> Order.t -> 'v Heap.slot array -> unit
  (** [push t low slots] puts a bucket with these elements on top; they must leave before all that is in
      buckets. [low] is the least of their priorities. [slots] must not be empty, and must not be used any
      more. Amortised O(1). *)

  val take : Grouping.for_all -> 'v t -> int -> 'v Heap.slot array list
  (** [take for_all t k] takes buckets off the top until they have [k] elements or the next one is large,
      sorts each, and returns them; the list is empty only if there is no bucket or [k <= 0]. If the bucket on
      top is large, it is first divided into up to 32 parts by a sample of its priorities. If one part would
      get more than half of the elements, the bucket is sorted as it is instead. *)

  val fold : ('acc -> 'v Heap.slot -> 'acc) -> 'acc -> 'v t -> 'acc
  (** In no order. *)

  val check : 'v t -> unit
  (** @raise Failure with what is wrong, if anything is not where it should be. *)
end
