(** What a user supplies.

    {b Cost.} All functions of the batched structure cost as much as the user's functions. *)

(** A sequential structure with its operations. *)
module type STRUCTURE = sig
  type t

  type _ op
  (** An operation with a result of type ['a]. *)

  (** An operation of a batch, and where its result goes. *)
  type packed = Op : 'a op * 'a Cell.t -> packed

  val apply : t -> 'a op -> 'a
  (** The sequential meaning. If it raises, the operation should have changed nothing. Effects that it does
      not handle itself are refused, and so are those of {!run}: see the head of {!Weft_batch}. *)

  val run : (t -> packed array -> unit) option
  (** [run t ops] applies all of [ops], which is in the order of arrival, and fills their cells; in parallel,
      with [Weft.par] and the functions built on it. The result should be that of {e some} order of the
      operations. Callers of [exec] wait for it, so that any order does for them. One caller may have
      submitted several operations of the batch: these come in its order only if [run] applies them in the
      order of arrival, or as [rank] of [Make.create] says. Nobody else uses [t] meanwhile. If [run] raises,
      the operations with empty cells raise that exception (if there are none, the task that runs the batch
      does), and [t] must still be in good order. [None]: a batch is applied one by one. *)
end

(** The same, for any type ['v] of elements or values. *)
module type GENERIC = sig
  type 'v t
  type ('v, _) op
  type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  val apply : 'v t -> ('v, 'a) op -> 'a
  val run : ('v t -> 'v packed array -> unit) option
end

(** A structure of shards, for {!Weft_batch.Expose_repair}. *)
module type SHARDED = sig
  type 'v t
  (** The sequential structure. *)

  type ('v, _) op
  type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  val apply : 'v t -> ('v, 'a) op -> 'a
  (** The sequential meaning. Operations that belong to no shard must only read: they are applied in parallel.
  *)

  val shard_of : 'v t -> ('v, 'a) op -> int
  (** The shard of an operation, 0 to [2 ** 30 - 1], if the operation needs no other shard; a negative number
      if it needs none, or several. Several tasks call it at the same time, and it must not raise. *)

  type 'v parts
  (** Some shards of an exposed structure, numbered by their places in [touched]. *)

  val expose : 'v t -> touched:int array -> 'v parts
  (** Exposes the shards [touched], which are different, and in increasing order. *)

  val prepare : 'v parts -> 'v packed array -> int array -> first:int -> last:int -> unit
  (** Called before the shards of a task are run, with all their operations (some tens, if there is more than
      one shard). It may do nothing; or it may read the memory that {!run_shard} will read, so that the task
      waits for memory once. Other shards are run meanwhile. *)

  val run_shard : 'v parts -> shard:int -> 'v packed array -> int array -> first:int -> last:int -> unit
  (** [run_shard parts ~shard ops order ~first ~last] applies [ops.(order.(first))], ..., [ops.(order.(last))]
      to shard [touched.(shard)], in this order, and fills their cells. Other shards are run at the same time.
      It must catch the exceptions of operations, and put them into their cells. *)

  val repair : 'v t -> 'v parts -> unit
  (** Called after all shards were run, or only some, if the batch was interrupted. The cost should depend on
      [touched] alone, not on the size of the structure. *)
end
