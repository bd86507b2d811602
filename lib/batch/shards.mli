(** Batched structures of shards: parts that may be changed at the same time.

    For a batch, such a structure is first {e exposed}: the shards that the batch touches are made independent
    of each other and of the parts above them. Then the operations on each shard are applied in the order of
    arrival, different shards in parallel. At last the structure is {e repaired}: the information about all
    shards (the number of keys, which shards are empty, how they are linked) is brought up to date. The user
    supplies these steps, all sequential.

    {b Cost.} Each function is O(1), beside the steps of the structure and what it waits for. A batch of m
    operations ({!Make.exec_many}, {!Make.submit_many}, {!Make.exec_all}, {!Make.run_batch}) takes O(m) steps
    to group them; its span is that of the grouping, the shard with the most work, and [expose] and [repair].
*)

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

(** The batched structure.

    In a batch, operations on one shard are applied in the order of arrival: so an operation of one shard has
    the result that it would have if the whole batch was applied one by one. All other operations are applied,
    in parallel, when the structure has been repaired: they see the effects of the whole batch.

    A stable sort, which takes O(n), puts the batch in order of shards; shards are divided among tasks by
    their numbers of operations. One task runs all operations of a shard: so a batch on a single shard takes
    as long as one by one. An operation that raises fails alone. If the batch is cancelled, operations that
    have not been applied fail; the structure is repaired. *)
module Make (S : SHARDED) : sig
  type 'v t

  val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> 'v S.t -> 'v t
  (** For this and the following functions see {!Weft_batch.Make_generic}. *)

  val exec : 'v t -> ('v, 'a) S.op -> 'a
  val exec_many : 'v t -> ('v, 'a) S.op array -> 'a array
  val submit : 'v t -> ('v, 'a) S.op -> 'a Weft.Promise.t
  val submit_many : 'v t -> ('v, 'a) S.op array -> 'a array Weft.Promise.t
  val exec_all : ?whole:bool -> 'v t -> int -> (int -> ('v, unit) S.op) -> unit
  val exclusive : 'v t -> ('v S.t -> 'a) -> 'a
  val quiesce : 'v t -> unit
  val stats : 'v t -> Stats.t
  val unguarded : 'v t -> 'v S.t

  val run_batch : 'v S.t -> 'v S.packed array -> unit
  (** One batch, for tests and measurements: no other call may use the structure meanwhile. *)
end
