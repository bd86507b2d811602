(** Batched maps as B+ trees ({!Weft_containers.B_tree}): for any number of tasks and threads at a time.

    Operations that meet become a batch, which goes through the tree at once and in parallel
    ([b_tree_batch.mli] says how). Those on single keys have the results that they would have one by one in
    the order of arrival; [succ], [pred], [min_binding_opt], [max_binding_opt] and [length] are answered after
    the others of their batch.

    An operation whose key's comparison or whose update function raises fails alone, and has changed nothing.
    Comparisons and update functions of a batch are called by several domains at the same time, in any order.

    {b Cost}, for n bindings: each function is O(log n), beside what it waits for, unless it says otherwise; a
    batch of m operations ({!Make.add_all}, {!Make.exec_many}, {!Make.run_batch}) takes O(m log n) comparisons
    and steps, in parallel but for operations on the same leaf. {!Make.create}, {!Make.length},
    {!Make.exclusive}, {!Make.quiesce} and {!Make.stats} are O(1); [iter], [fold] and [to_seq] O(n). *)

module Make (Key : Weft_containers.Maps.ORDERED) : sig
  include Weft_containers.Maps.ORDERED_MAP with type key = Key.t
  (** O(log n) for each operation, and the cost of batching. [iter], [fold] and [to_seq] hold up the others
      while they go through the map ([to_seq]: while it copies the bindings, O(n)); the functions given to
      [iter] and [fold] must not call it. *)

  val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> unit -> 'v t
  (** An empty map. The options: {!Weft_batch.Make_generic.create}. *)

  val add_all : 'v t -> (key * 'v) array -> unit
  (** [add_all t bindings] adds them all, in this order, while nobody else is at the map. *)

  val exclusive : 'v t -> ((Key.t, 'v) Weft_containers.B_tree_node.tree -> 'a) -> 'a
  (** [exclusive t f] is [f] of the sequential map, while nobody else is at it; see
      {!Weft_batch.Make_generic.exclusive}. *)

  val quiesce : 'v t -> unit
  (** Returns when all operations that were called before have ended.
      @raise Reentrant like {!Weft_batch.Make_generic.exec}. *)

  val stats : 'v t -> Stats.t
  (** What it has done so far. From any thread; may miss what goes on at the same time. *)

  (** {1 The structure} *)

  module Sequential : module type of Weft_containers.B_tree.Make (Key)

  module Op : module type of struct
    include Map_op.Make (Key)
  end

  type 'v packed = Op : ('v, 'a) Op.t * 'a Cell.t -> 'v packed

  val exec : 'v t -> ('v, 'a) Op.t -> 'a
  val exec_many : 'v t -> ('v, 'a) Op.t array -> 'a array

  val apply : 'v Sequential.t -> ('v, 'a) Op.t -> 'a
  (** One operation on a sequential map. *)

  val run_batch : 'v Sequential.t -> 'v packed array -> unit
  (** A batch on a sequential map that nobody else uses meanwhile; fills all cells, and raises nothing but
      [Sys.Break], [Out_of_memory] and [Stack_overflow]: then cells that are empty are those of operations
      that have not been applied, if a comparison raised it. *)
end
