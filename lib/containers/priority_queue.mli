(** Priority queues: elements leave by increasing priority; those of equal priority leave in the order in
    which they came.

    Only elements that will leave soon are kept in order. The {e front} is a sorted array and a small heap of
    what came since. All other elements lie unsorted in buckets, each with its own range of priorities. When
    the front is empty, the lowest bucket is sorted, or divided by a sample of its priorities if it is large
    (incremental quicksort: Paredes and Navarro, ALENEX 2006; ladder queues: Tang, Goh and Thng, ACM TOMACS
    15(3), 2005; samples: Frazer and McKellar, JACM 17(3), 1970). So most pushes search among a few dozen
    buckets, and memory is read in sequence, where a heap jumps about.

    If [compare] raises, so does the operation, and nothing has changed.

    {b Cost}, for n elements: each function says it, and {!Make.create} is O(1). {!Make.min_opt} is amortised
    O(log n); {!Make.push_each}, {!Make.prepare}, {!Make.pop_each} and {!Make.pop_many} take amortised O(log
    n) for each element, as if one by one. *)

module Make (Order : Maps.ORDERED) : sig
  type priority = Order.t

  type 'v t
  (** A mutable queue of elements of type ['v]. Only one thread at a time may use it. *)

  val create : unit -> 'v t

  val length : 'v t -> int
  (** O(1). *)

  val push : 'v t -> priority -> 'v -> unit
  (** Amortised O(log n). *)

  val pop_min : 'v t -> (priority * 'v) option
  (** Takes the first element off; [None] if there is none. Amortised O(log n); a single call may take O(n) if
      it divides a large bucket. *)

  val min_opt : 'v t -> (priority * 'v) option
  (** The first element, which stays. Amortised as [pop_min], since it may have to sort a bucket. *)

  val of_seq : (priority * 'v) Seq.t -> 'v t
  (** A queue into which these have been pushed. O(n): nothing is sorted yet. *)

  val to_seq : 'v t -> (priority * 'v) Seq.t
  (** All elements that are there at the time of the call, in the order in which they would leave. The call
      itself takes O(n log n). *)

  (** {1 For batches}

      [for_all] may run its calls at the same time: {!Grouping.type-for_all}. *)

  val push_each :
    Grouping.for_all ->
    'v t ->
    count:int ->
    priority:(int -> priority) ->
    value:(int -> 'v) ->
    failed:(int -> exn -> Printexc.raw_backtrace -> unit) ->
    unit
  (** [push_each for_all t ~count ~priority ~value ~failed] pushes [value i] with [priority i] for [i] from 0
      to [count - 1], in this order. Elements whose comparisons raise are left out; [failed i] is called for
      each of them. *)

  val prepare : Grouping.for_all -> 'v t -> int -> unit
  (** [prepare for_all t k] puts the first [k] elements in order. Popping each of them is then O(1), except
      for elements that are pushed before them meanwhile. *)

  val pop_each :
    Grouping.for_all ->
    'v t ->
    count:int ->
    popped:(int -> (priority * 'v) option -> unit) ->
    failed:(int -> exn -> Printexc.raw_backtrace -> unit) ->
    unit
  (** [pop_each for_all t ~count ~popped ~failed] is [pop_min t], [count] times. The result of the first call
      goes to [popped 0], or its exception to [failed 0], and so on, in any order. *)

  val pop_many : Grouping.for_all -> 'v t -> int -> (priority * 'v) array
  (** [pop_many for_all t k] takes the first [k] elements off, or all if there are fewer. If a comparison
      raises, it takes none off.
      @raise Invalid_argument if [k < 0]. *)

  val check : 'v t -> unit
  (** For tests: checks what must hold between calls. O(n log n).
      @raise Failure with what is wrong, if anything is. *)
end
