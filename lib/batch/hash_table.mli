(** {!Weft_containers.Hash_table}, batched: hash tables that any task and any thread may use.

    A batch is grouped by segment, in linear time. The operations on a segment are applied in the order of
    arrival, different segments in parallel: so operations on single keys have the results that they would
    have one by one. [Length] is answered after them.

    The caller calls [hash], once per operation, before the operation becomes part of a batch: if it raises,
    so does the call, and nothing else happens. If [equal] or the function of an update raises, its operation
    fails alone, and has changed nothing. Any domain may call [equal]; neither [equal] nor the function of an
    update may use the table.

    Where batching pays: {!Stats}.

    All functions that may wait raise {!Weft_batch.Reentrant} inside an operation.

    {b Cost}, for n bindings: each function is O(1), expected, and amortised if it changes the table, unless
    it says otherwise; {!Make.iter}, {!Make.fold} and {!Make.to_seq} are O(n). A batch of m
    ({!Make.exec_many}, {!Make.submit_many}, {!Make.run_batch}) takes expected O(m), with a span of O(m) short
    steps to group it, and the operations of the segment that has most of them. {!Make.add_all} is O(length),
    with one call of [hash] for each binding. *)

module Make (Key : Hashtbl.HashedType) : sig
  type key = Key.t
  type 'v t

  val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> unit -> 'v t
  (** An empty table; see {!Weft_batch.Make_generic.create}. *)

  val make : unit -> 'v t
  (** [make ()] is [create ()], for signatures without optional arguments. O(1). *)

  (** {1 Operations} *)

  val length : 'v t -> int
  (** As in {!Weft_containers.Maps.MAP}, and so are the others. *)

  val mem : 'v t -> key -> bool
  val find_opt : 'v t -> key -> 'v option
  val add : 'v t -> key -> 'v -> unit
  val remove : 'v t -> key -> bool
  val update : 'v t -> key -> ('v option -> 'v option) -> 'v option

  val add_all : 'v t -> (key * 'v) array -> unit
  (** Adds these bindings, in this order, while no other call is inside. If [hash] raises, none is added. *)

  val iter : (key -> 'v -> unit) -> 'v t -> unit
  (** Like {!fold}, it runs while no other call is inside. The functions given to them must not use the table.
  *)

  val fold : (key -> 'v -> 'acc -> 'acc) -> 'v t -> 'acc -> 'acc

  val to_seq : 'v t -> (key * 'v) Seq.t
  (** The bindings at the time of the call: O(n) at once. *)

  val quiesce : 'v t -> unit
  (** Returns when all operations that were called before have ended.
      @raise Reentrant like {!Weft_batch.Make_generic.exec}. *)

  val stats : 'v t -> Stats.t
  (** What the structure has done so far. Any thread may call it; it may miss calls that run at the same time.
  *)

  (** {1 The structure itself} *)

  module Sequential : module type of Weft_containers.Hash_table.Make (Key)

  val exclusive : 'v t -> ('v Sequential.t -> 'a) -> 'a
  (** [exclusive t f] calls [f] with the table, while no other call is inside; see
      {!Weft_batch.Make_generic.exclusive}. *)

  (** An operation with a result of type ['a]. The integer is {!Sequential.hash} of the key. *)
  type ('v, 'a) op =
    | Mem : int * key -> ('v, bool) op
    | Find : int * key -> ('v, 'v option) op
    | Add : int * key * 'v -> ('v, unit) op
    | Remove : int * key -> ('v, bool) op
    | Update : int * key * ('v option -> 'v option) -> ('v, 'v option) op
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
  val run_batch : 'v Sequential.t -> 'v packed array -> unit
end
