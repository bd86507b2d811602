(** Batched maps from the integers of a universe: what {!Veb}, {!X_fast} and {!Y_fast} have in common.

    {b Cost.} That of the sequential structure, which its module states: for a number of bits, each function
    is O(1), beside what it waits for, unless it says otherwise, and calls on a key grow with the bits: from
    O(1) to O(bits). {!S.create} is O(2 ** (bits / 3)); [iter], [fold] and [to_seq] O(n). A batch of m
    operations ({!S.add_all}, {!S.exec_many}, {!S.run_batch}) takes m times as much, and O(1) to bring each to
    its shard; its span is O(m) short steps to group m operations, and those on the shard that has most of
    them. *)

module Op : module type of Map_op.Make (Int)

(** Every function may be called from any task and any thread, at the same time as others. Each call but those
    of several operations is one step, as if it happened at one moment between its beginning and its end.

    Operations become batches while others are at work ({!Weft_batch.Make}). In a batch, those of one key are
    applied in the order of arrival, shard by shard and different shards in parallel
    ({!Weft_batch.Expose_repair}); [succ], [pred], [min_binding_opt], [max_binding_opt] and [length] are
    answered after all the others, in parallel.

    Functions that take keys raise [Invalid_argument] if one is not of the universe, before anything is done.
    Complexities are those of the sequential structure. *)
module type S = sig
  module Sequential : Weft_containers.Int_map.S
  (** What is batched. *)

  module Op = Op

  type key = int
  type 'v t
  type ('v, 'a) op = ('v, 'a) Op.t
  type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> bits:int -> unit -> 'v t
  (** An empty map from keys of [bits] bits. [limit], [cutoff]: see {!Weft_batch.Make_generic}.

      @raise Invalid_argument
        if [bits] is not in 1..62, or as {!Weft_batch.Make_generic} says of [limit] and [cutoff]. *)

  val bits : 'v t -> int
  val length : 'v t -> int
  val mem : 'v t -> key -> bool
  val find_opt : 'v t -> key -> 'v option

  val add : 'v t -> key -> 'v -> unit
  (** [add t k v] binds [k] to [v], in place of what it was bound to. *)

  val add_all : 'v t -> (key * 'v) array -> unit
  (** Adds all, in this order, while nobody else is at the map. *)

  val remove : 'v t -> key -> bool
  (** Whether the key was bound. *)

  val update : 'v t -> key -> ('v option -> 'v option) -> 'v option
  (** [update t k f] is what [k] is bound to, which becomes [f] of that; [None]: not bound. [f] runs inside a
      batch, and must not call functions of [t]. If it raises, nothing changes, and [update] raises that. *)

  val min_binding_opt : 'v t -> (key * 'v) option
  val max_binding_opt : 'v t -> (key * 'v) option

  val succ : 'v t -> key -> (key * 'v) option
  (** [succ t k] is the binding of the least key above [k]. *)

  val pred : 'v t -> key -> (key * 'v) option
  (** [pred t k] is the binding of the greatest key below [k]. *)

  val iter : (key -> 'v -> unit) -> 'v t -> unit
  (** In increasing order of keys; all others wait meanwhile ({!exclusive}). The function must not call
      functions of the map. *)

  val fold : (key -> 'v -> 'acc -> 'acc) -> 'v t -> 'acc -> 'acc
  (** Likewise. *)

  val to_seq : 'v t -> (key * 'v) Seq.t
  (** The bindings at the time of the call, in increasing order of keys: O(n) at once. *)

  (** {1 Operations as values} *)

  val exec : 'v t -> ('v, 'a) op -> 'a

  val exec_many : 'v t -> ('v, 'a) op array -> 'a array
  (** As one batch. Raises the exception of the first that failed. *)

  val exclusive : 'v t -> ('v Sequential.t -> 'a) -> 'a
  (** [exclusive t f] is [f] of the sequential map, while nobody else is at it; see
      {!Weft_batch.Make_generic.exclusive}. *)

  val quiesce : 'v t -> unit
  (** Returns when all operations that were called before have ended.
      @raise Reentrant like {!Weft_batch.Make_generic.exec}. *)

  val stats : 'v t -> Stats.t
  (** What it has done so far. From any thread; may miss what goes on at the same time. *)

  (** {1 Batches}

      For tests and measurements, on sequential maps that nobody else uses. *)

  val apply : 'v Sequential.t -> ('v, 'a) op -> 'a
  val run_batch : 'v Sequential.t -> 'v packed array -> unit
end

module Make
    (Sequential : Weft_containers.Int_map.S)
    (_ : sig
      val name : string
      (** The module that is made, as error messages call it. *)
    end) : S with module Sequential = Sequential
