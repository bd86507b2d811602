(** Batched structures of shards: parts that may be worked on at the same time.

    Such a structure is {e exposed}: the shards that a batch touches are made independent of each other and of
    what is above them. Each then gets its operations, in the order of arrival, different ones in parallel. At
    last it is {e repaired}: what is known of all shards (how many keys, which shards are empty, how they are
    linked) is put right. The user supplies these steps, all sequential.

    {b Cost.} Each function is O(1), beside the steps of the structure and what it waits for; a batch of m
    operations ({!Make.exec_many}, {!Make.exec_all}, {!Make.run_batch}) takes O(m) steps to group them; its
    span has the grouping, the shard that has most to do, and [expose] and [repair]. *)

module type SHARDED = sig
  type 'v t
  (** The sequential structure. *)

  type ('v, _) op
  type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  val apply : 'v t -> ('v, 'a) op -> 'a
  (** The sequential meaning. Operations that belong to no shard only look: they are applied in parallel. *)

  val shard_of : 'v t -> ('v, 'a) op -> int
  (** The shard that an operation is about, 0 to [2 ** 30 - 1], where no other has to be looked at. If there
      is none, or several, a negative number. It is called by several tasks at the same time, and must not
      raise. *)

  type 'v parts
  (** Some shards of an exposed structure, by their places in [touched]. *)

  val expose : 'v t -> touched:int array -> 'v parts
  (** The shards [touched], which are different, and in increasing order. *)

  val prepare : 'v parts -> 'v packed array -> int array -> first:int -> last:int -> unit
  (** Called before the shards of a task are run, with all their operations, some tens if there is more than
      one shard. It may do nothing; it may read what {!run_shard} will read, so that memory is waited for
      once. Other shards are run meanwhile. *)

  val run_shard : 'v parts -> shard:int -> 'v packed array -> int array -> first:int -> last:int -> unit
  (** [run_shard parts ~shard ops order ~first ~last] applies [ops.(order.(first))], ..., [ops.(order.(last))]
      to shard [touched.(shard)], in this order, and fills their cells. Other shards are run at the same time.
      It must catch what operations raise, and leave it in their cells. *)

  val repair : 'v t -> 'v parts -> unit
  (** After all shards were run, or some, if the batch was interrupted. The cost should depend on [touched]
      alone, not on the size of the structure. *)
end

(** The batched structure.

    In a batch, operations on one shard are applied in the order of arrival: so an operation of one shard has
    the result that it would have if the whole batch was applied one by one. All others are answered when the
    structure is repaired, in parallel: they see the effects of all operations of the batch.

    The batch is put in order of shards by a stable sort that takes O(n); shards are divided among tasks by
    numbers of operations. One shard is run by one task, whatever it has to do: so a batch about a single
    shard takes as long as one by one. An operation that raises fails alone. If the batch is cancelled,
    operations that have not been applied fail; the structure is repaired. *)
module Make (S : SHARDED) : sig
  type 'v t

  val create : ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> 'v S.t -> 'v t
  (** See {!Weft_batch.Make_generic}, as for those that follow. *)

  val exec : 'v t -> ('v, 'a) S.op -> 'a
  val exec_many : 'v t -> ('v, 'a) S.op array -> 'a array
  val exec_all : ?whole:bool -> 'v t -> int -> (int -> ('v, unit) S.op) -> unit
  val exclusive : 'v t -> ('v S.t -> 'a) -> 'a
  val quiesce : 'v t -> unit
  val stats : 'v t -> Stats.t
  val unguarded : 'v t -> 'v S.t

  val run_batch : 'v S.t -> 'v S.packed array -> unit
  (** One batch, for tests and measurements: nobody else may be at the structure. *)
end
