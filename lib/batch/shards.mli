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

(** The batched structure.

    In a batch, operations on one shard are applied in the order of arrival: so an operation of one shard has
    the result that it would have if the whole batch was applied one by one. All other operations are applied,
    in parallel, when the structure has been repaired: they see the effects of the whole batch.

    A stable sort, which takes O(n), puts the batch in order of shards; shards are divided among tasks by
    their numbers of operations. One task runs all operations of a shard: so a batch on a single shard takes
    as long as one by one. An operation that raises fails alone. If the batch is cancelled, operations that
    have not been applied fail; the structure is repaired. *)
module Make (S : Structures.SHARDED) : sig
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
