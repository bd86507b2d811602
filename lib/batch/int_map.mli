(** The functions of batched maps from the integers of a universe: see {!Int_maps}. *)

module type S = sig
  module Sequential : Weft_containers.Int_map.S
  (** The structure that is batched. *)

  module Op : module type of struct
    include Map_op.Make (Int)
  end

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
  (** [add t k v] binds [k] to [v], and replaces a former binding. *)

  val add_all : 'v t -> (key * 'v) array -> unit
  (** Adds all bindings, in this order, while no other call is inside. *)

  val remove : 'v t -> key -> bool
  (** Unbinds the key; returns whether it was bound. *)

  val update : 'v t -> key -> ('v option -> 'v option) -> 'v option
  (** [update t k f] replaces the binding [b] of [k] by [f b], and returns [b]; [None] means not bound. [f]
      runs inside a batch, and must not call functions of [t]. If it raises, so does [update], and nothing
      changes. *)

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
  (** Like {!iter}. *)

  val to_seq : 'v t -> (key * 'v) Seq.t
  (** The bindings at the time of the call, in increasing order of keys: O(n) at once. *)

  (** {1 Operations as values} *)

  val exec : 'v t -> ('v, 'a) op -> 'a

  val exec_many : 'v t -> ('v, 'a) op array -> 'a array
  (** Applies all operations as one batch. Raises the exception of the first that failed. *)

  val submit : 'v t -> ('v, 'a) op -> 'a Weft.Promise.t
  (** A promise of the result: see {!Weft_batch.Make_generic.submit}.

      @raise Invalid_argument
        at once if a key is out of range, here and in {!submit_many}: then nothing is submitted. *)

  val submit_many : 'v t -> ('v, 'a) op array -> 'a array Weft.Promise.t
  (** One promise of all results: see {!Weft_batch.Make_generic.submit_many}. *)

  val exclusive : 'v t -> ('v Sequential.t -> 'a) -> 'a
  (** [exclusive t f] calls [f] with the sequential map, while no other call is inside; see
      {!Weft_batch.Make_generic.exclusive}. *)

  val quiesce : 'v t -> unit
  (** Returns when all operations that were called before have ended.
      @raise Reentrant like {!Weft_batch.Make_generic.exec}. *)

  val stats : 'v t -> Stats.t
  (** What the structure has done so far. Any thread may call it; it may miss calls that run at the same time.
  *)

  (** {1 Batches}

      For tests and measurements, on sequential maps that nobody else uses. *)

  val apply : 'v Sequential.t -> ('v, 'a) op -> 'a
  val run_batch : 'v Sequential.t -> 'v packed array -> unit
end
