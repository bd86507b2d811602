(** Batched maps as B+ trees ({!Weft_containers.B_tree}). Any number of tasks and threads may use one at the
    same time.

    Operations that meet become a batch, which goes through the tree at once and in parallel
    ([b_tree_batch.mli] describes how). Operations on single keys have the results that they would have one by
    one in the order of arrival; [succ], [pred], [min_binding_opt], [max_binding_opt] and [length] are
    answered after the others of their batch.

    If a comparison of its key or its update function raises, an operation fails alone, and has changed
    nothing. Several domains call the comparisons and update functions of a batch at the same time, in any
    order.

    Where batching pays: {!Stats}.

    All functions that may wait raise {!Weft_batch.Reentrant} inside an operation.

    {b Cost}, for n bindings: each function is O(log n), beside what it waits for, unless it says otherwise; a
    batch of m operations ({!Make.add_all}, {!Make.exec_many}, {!Make.submit_many}, {!Make.run_batch}) takes
    O(m log n) comparisons and steps, in parallel except for operations on the same leaf. {!Make.create},
    {!Make.length}, {!Make.exclusive}, {!Make.quiesce} and {!Make.stats} are O(1); [iter], [fold] and [to_seq]
    O(n). *)

module Make (Key : Weft_containers.Maps.ORDERED) : sig
  include Weft_containers.Maps.ORDERED_MAP with type key = Key.t
  (** O(log n) for each operation, and the cost of batching. All other calls wait while [iter], [fold] and
      [to_seq] go through the map ([to_seq]: while it copies the bindings, O(n)); the functions given to
      [iter] and [fold] must not call functions of the map. *)

  val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> unit -> 'v t
  (** An empty map. For the options see {!Weft_batch.Make_generic.create}. *)

  val make : unit -> 'v t
  (** [make ()] is [create ()], for signatures without optional arguments. O(1). *)

  val add_all : 'v t -> (key * 'v) array -> unit
  (** [add_all t bindings] adds all bindings, in this order, while no other call is inside. *)

  val exclusive : 'v t -> ((Key.t, 'v) Weft_containers.B_tree_node.tree -> 'a) -> 'a
  (** [exclusive t f] calls [f] with the sequential map, while no other call is inside; see
      {!Weft_batch.Make_generic.exclusive}. *)

  val quiesce : 'v t -> unit
  (** Returns when all operations that were called before have ended.
      @raise Reentrant like {!Weft_batch.Make_generic.exec}. *)

  val stats : 'v t -> Stats.t
  (** What the structure has done so far. Any thread may call it; it may miss calls that run at the same time.
  *)

  (** {1 The structure} *)

  module Sequential : module type of Weft_containers.B_tree.Make (Key)

  module Op : module type of struct
    include Map_op.Make (Key)
  end

  type 'v packed = Op : ('v, 'a) Op.t * 'a Cell.t -> 'v packed

  val exec : 'v t -> ('v, 'a) Op.t -> 'a
  (** See {!Weft_batch.Make_generic.exec}. *)

  val exec_many : 'v t -> ('v, 'a) Op.t array -> 'a array
  (** See {!Weft_batch.Make_generic.exec_many}. *)

  val submit : 'v t -> ('v, 'a) Op.t -> 'a Weft.Promise.t
  (** A promise of the result: see {!Weft_batch.Make_generic.submit}. *)

  val submit_many : 'v t -> ('v, 'a) Op.t array -> 'a array Weft.Promise.t
  (** One promise of all results: see {!Weft_batch.Make_generic.submit_many}. *)

  val apply : 'v Sequential.t -> ('v, 'a) Op.t -> 'a
  (** One operation on a sequential map. *)

  val run_batch : 'v Sequential.t -> 'v packed array -> unit
  (** Runs a batch on a sequential map that nobody else uses meanwhile. It fills all cells, and raises nothing
      but [Sys.Break], [Out_of_memory] and [Stack_overflow]; if a comparison raised one of these, the empty
      cells are those of operations that have not been applied. *)
end
