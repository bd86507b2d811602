(** The functions of batched search trees: see {!Split_join}. *)

open Weft_containers

module type S = sig
  module Key : Maps.ORDERED

  module Tree : Persistent.TREE with module Key = Key
  (** The persistent tree inside. *)

  type key = Key.t

  type 'v t
  (** A map. Any task and any thread may use it. *)

  val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> unit -> 'v t
  (** An empty map. For the options, see {!Weft_batch.Make_generic}. *)

  val make : unit -> 'v t
  (** [make ()] is [create ()], for signatures without optional arguments. O(1). *)

  val of_tree : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> 'v Tree.t -> 'v t
  (** A map with the bindings of the tree. O(1). *)

  (** {1 Changes}

      They take part in batches: each may suspend the calling fiber until its batch has ended. They take
      effect in some order that agrees with the order of the calls.
      @raise Reentrant (all of them) if called by a function of {!update} on the same map. *)

  val add : 'v t -> Key.t -> 'v -> unit
  (** [add t k v] binds [k] to [v], and replaces a former binding. *)

  val remove : 'v t -> Key.t -> bool
  (** [remove t k] unbinds [k]; returns whether it was bound. *)

  val update : 'v t -> Key.t -> ('v option -> 'v option) -> 'v option
  (** [update t k f] replaces the binding [b] of [k] by [f b], and returns [b]; [None] means not bound. If [f]
      raises, so does [update], and nothing has changed. *)

  val add_all : 'v t -> (Key.t * 'v) array -> unit
  (** Adds all bindings, in this order, as one batch: nobody sees only some of them, unless a comparison
      raises, or there are more than the [limit] of {!create}. Fastest if the keys ascend: where several of
      them fall between two neighbours of the map, a tree is built of these without a comparison, and joined
      whole. *)

  (** {1 Reading}

      Never waits and never suspends. Functions that visit several bindings see the map as it was when they
      were called. *)

  val snapshot : 'v t -> 'v Tree.t
  (** The map as it is now; later changes do not affect it. O(1). *)

  val length : 'v t -> int
  val mem : 'v t -> Key.t -> bool
  val find_opt : 'v t -> Key.t -> 'v option
  val min_binding_opt : 'v t -> (Key.t * 'v) option
  val max_binding_opt : 'v t -> (Key.t * 'v) option

  val succ : 'v t -> Key.t -> (Key.t * 'v) option
  (** The binding of the smallest key greater than this one, which need not be bound. *)

  val pred : 'v t -> Key.t -> (Key.t * 'v) option
  val iter : (Key.t -> 'v -> unit) -> 'v t -> unit
  val fold : (Key.t -> 'v -> 'acc -> 'acc) -> 'v t -> 'acc -> 'acc
  val to_seq : 'v t -> (Key.t * 'v) Seq.t

  (** {1 Batches} *)

  module Op : sig
    type ('v, 'a) t =
      | Mem : Key.t -> ('v, bool) t
      | Find : Key.t -> ('v, 'v option) t
      | Add : Key.t * 'v -> ('v, unit) t
      | Remove : Key.t -> ('v, bool) t
      | Update : Key.t * ('v option -> 'v option) -> ('v, 'v option) t
      | Succ : Key.t -> ('v, (Key.t * 'v) option) t
      | Pred : Key.t -> ('v, (Key.t * 'v) option) t
      | Min : ('v, (Key.t * 'v) option) t
      | Max : ('v, (Key.t * 'v) option) t
      | Length : ('v, int) t
  end

  val exec : 'v t -> ('v, 'a) Op.t -> 'a
  (** The result of one operation, which takes part in batches, even if it only reads. *)

  val exec_many : 'v t -> ('v, 'a) Op.t array -> 'a array
  (** Applies all operations as one batch, in this order. Raises the exception of the first that failed. *)

  val submit : 'v t -> ('v, 'a) Op.t -> 'a Weft.Promise.t
  (** A promise of the result: see {!Weft_batch.Make_generic.submit}. Functions that only read see what the
      operation has done once the promise is settled. *)

  val submit_many : 'v t -> ('v, 'a) Op.t array -> 'a array Weft.Promise.t
  (** One promise of all results: see {!Weft_batch.Make_generic.submit_many}. *)

  val exclusive : 'v t -> ('v Tree.t Atomic.t -> 'a) -> 'a
  (** [exclusive t f] calls [f] with the atomic that holds the tree, while nobody else changes it. Others may
      read it. See {!Weft_batch.Make_generic.exclusive}. *)

  val quiesce : 'v t -> unit
  (** Returns when all operations that were called before have ended.
      @raise Reentrant like {!Weft_batch.Make_generic.exec}. *)

  val stats : 'v t -> Stats.t
  (** What the structure has done so far. Any thread may call it; it may miss calls that run at the same time.
  *)

  (** {1 The structure itself}

      For tests and benchmarks. *)

  type 'v packed = Op : ('v, 'a) Op.t * 'a Cell.t -> 'v packed

  val apply : 'v Tree.t Atomic.t -> ('v, 'a) Op.t -> 'a
  (** One operation. *)

  val run_batch : 'v Tree.t Atomic.t -> 'v packed array -> unit
  (** Runs a batch of operations, fills all cells and raises nothing. Operations on one key have the same
      results as if all were applied one by one, in the order of the array, and so has the tree in the end.
      [Succ], [Pred], [Min], [Max] and [Length] are answered after all others.

      If the function of an operation raises, that operation alone fails, and has no effect. If a comparison
      raises, the batch starts anew and applies its operations one by one, so that only those fail whose own
      comparisons raise; functions of updates may then be called a second time. [Sys.Break], [Out_of_memory]
      and [Stack_overflow] do not count as exceptions of comparisons: all operations on keys fail with them,
      and have no effect. *)
end
