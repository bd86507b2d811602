(** {!Weft_containers.Priority_queue}, batched: priority queues that any task and any thread may use.

    In a batch, operations have the results of this order: first all pushes, in the order of arrival; then
    [Min] and [Length]; then all pops, in the order of arrival, so that these get increasing priorities.
    Pushes look for their buckets in parallel, and go there in parallel; the elements that will leave are
    sorted in parallel, a few hundred at a time, and taken off at once.

    If [compare] raises, the operation that it was called for fails alone, and has changed nothing. If it
    raises [Sys.Break], [Out_of_memory] or [Stack_overflow], all operations that are done together with it
    fail. Any domain may call [compare], and it must not use the queue.

    Where batching pays: {!Stats}.

    All functions that may wait raise {!Weft_batch.Reentrant} inside an operation.

    {b Cost}, for n elements: amortised O(log n) for {!Make.push}, {!Make.pop_min} and {!Make.min_opt}, of
    which a single one may take O(n). While there are few elements, up to some hundred, a push in random order
    takes two comparisons on average; if there are more, it looks for its bucket. {!Make.push_all} and
    {!Make.pop_many} of m elements take O(m log n), amortised, and look for buckets and sort them in parallel;
    {!Make.to_seq} takes O(n log n). {!Make.exec}, {!Make.exec_many}, {!Make.submit}, {!Make.submit_many},
    {!Make.apply} and {!Make.run_batch} cost as much as their operations. Otherwise each function is O(1). *)

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
      raises, it takes none.
      @raise Invalid_argument if [k < 0]. *)

  val to_seq : 'v t -> (priority * 'v) Seq.t
  (** All elements at the time of the call, in the order in which they would leave. *)

  val quiesce : 'v t -> unit
  (** Returns when all operations that were called before have ended.
      @raise Reentrant like {!Weft_batch.Make_generic.exec}. *)

  val stats : 'v t -> Stats.t
  (** What the structure has done so far. Any thread may call it; it may miss calls that run at the same time.
  *)

  (** {1 The structure itself} *)

  module Sequential : module type of Weft_containers.Priority_queue.Make (Order)

  val exclusive : 'v t -> ('v Sequential.t -> 'a) -> 'a
  (** [exclusive t f] calls [f] with the queue, while no other call is inside; see
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
  (** See {!Weft_batch.Make_generic.exec}. *)

  val exec_many : 'v t -> ('v, 'a) op array -> 'a array
  (** See {!Weft_batch.Make_generic.exec_many}. *)

  val submit : 'v t -> ('v, 'a) op -> 'a Weft.Promise.t
  (** A promise of the result: see {!Weft_batch.Make_generic.submit}. *)

  val submit_many : 'v t -> ('v, 'a) op array -> 'a array Weft.Promise.t
  (** One promise of all results: see {!Weft_batch.Make_generic.submit_many}. *)

  val apply : 'v Sequential.t -> ('v, 'a) op -> 'a
  (** One operation; [Pop_many] runs in parallel even here. *)

  val run_batch : 'v Sequential.t -> 'v packed array -> unit
end
