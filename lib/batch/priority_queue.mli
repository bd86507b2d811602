(** {!Weft_containers.Priority_queue}, batched: priority queues that any task and any thread may use.

    A batch has the results of its operations in this order: first all pushes, in the order of arrival; then
    [Min] and [Length]; then all that take off, in the order of arrival, so that these get increasing
    priorities. Pushes look for their buckets in parallel, and go there in parallel; what is to leave is put
    in order in parallel, a few hundred elements at a time, and taken off at once.

    If [compare] raises, the operation whose comparison it was fails alone, and has changed nothing. With
    [Sys.Break], [Out_of_memory] and [Stack_overflow] all fail that are done together with it. [compare] may
    be called by any domain, and must not use the queue.

    {b Cost}, for n elements: amortised O(log n) for {!Make.push}, {!Make.pop_min} and {!Make.min_opt}, of
    which a single one may take O(n). While there are few elements, up to some hundred, to push one that comes
    in no order takes two comparisons, on average; more look for their bucket. {!Make.push_all} and
    {!Make.pop_many} of m elements take O(m log n), amortised, and look for buckets and sort them in parallel;
    {!Make.to_seq} takes O(n log n). {!Make.exec}, {!Make.exec_many}, {!Make.apply} and {!Make.run_batch} cost
    what their operations do. Each function is O(1) otherwise. *)

module Make (Order : Weft_containers.Maps.ORDERED) : sig
  type priority = Order.t
  type 'v t

  val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> unit -> 'v t
  (** An empty queue; see {!Weft_batch.Make_generic.create}. *)

  (** {1 Operations} *)

  val length : 'v t -> int
  val push : 'v t -> priority -> 'v -> unit
  val pop_min : 'v t -> (priority * 'v) option

  val min_opt : 'v t -> (priority * 'v) option
  (** As in {!Weft_containers.Priority_queue}, and so are the others. *)

  val push_all : 'v t -> (priority * 'v) array -> unit
  (** Pushes them in this order, as one batch. If comparisons raise, those elements are left out, and it
      raises the first of these exceptions. *)

  val pop_many : 'v t -> int -> (priority * 'v) array
  (** [pop_many t k] takes the first [k] off at once, in parallel, or all if there are fewer. If a comparison
      raises, none.
      @raise Invalid_argument if [k < 0]. *)

  val to_seq : 'v t -> (priority * 'v) Seq.t
  (** All of them, in the order in which they would leave, as of the time of the call. *)

  val quiesce : 'v t -> unit
  (** Returns when all operations that were called before have ended.
      @raise Reentrant like {!Weft_batch.Make_generic.exec}. *)

  val stats : 'v t -> Stats.t
  (** What it has done so far. From any thread; may miss what goes on at the same time. *)

  (** {1 The structure itself} *)

  module Sequential : module type of Weft_containers.Priority_queue.Make (Order)

  val exclusive : 'v t -> ('v Sequential.t -> 'a) -> 'a
  (** [exclusive t f] is [f] of the queue, while nobody else is at it; see
      {!Weft_batch.Make_generic.exclusive}. *)

  (** An operation with a result of type ['a]. *)
  type ('v, 'a) op =
    | Push : priority * 'v -> ('v, unit) op
    | Pop : ('v, (priority * 'v) option) op
    | Pop_many : int -> ('v, (priority * 'v) array) op
    | Min : ('v, (priority * 'v) option) op
    | Length : ('v, int) op

  type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  val exec : 'v t -> ('v, 'a) op -> 'a
  val exec_many : 'v t -> ('v, 'a) op array -> 'a array

  val apply : 'v Sequential.t -> ('v, 'a) op -> 'a
  (** [Pop_many] works in parallel by itself. *)

  val run_batch : 'v Sequential.t -> 'v packed array -> unit
end
