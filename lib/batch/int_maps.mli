(** Batched maps from the integers of a universe: the common part of {!Veb}, {!X_fast} and {!Y_fast}.

    Where batching pays: {!Stats}.

    {b Cost.} As for the sequential structure, whose module states it. For a fixed number of bits, each
    function is O(1), beside what it waits for, unless it says otherwise; the cost of calls on a key grows
    with the bits, from O(1) to O(bits). {!S.create} is O(2 ** (bits / 3)); [iter], [fold] and [to_seq] O(n).
    A batch of m operations ({!S.add_all}, {!S.exec_many}, {!S.submit_many}, {!S.run_batch}) takes m times as
    much, and O(1) more for each operation; its span is O(m) short steps to group the operations, and the
    operations on the shard that has most of them. *)

module Op : module type of struct
  include Map_op.Make (Int)
end

module type S = Int_map.S
(** Any task and any thread may call every function, at the same time as others. Each call of a single
    operation is atomic: it takes effect at one moment between its beginning and its end.

    Operations that come while others are inside become batches ({!Weft_batch.Make}). In a batch, operations
    on one key are applied in the order of arrival, shard by shard and different shards in parallel
    ({!Weft_batch.Expose_repair}); [succ], [pred], [min_binding_opt], [max_binding_opt] and [length] are
    answered after all the others, in parallel.

    Functions that take keys raise [Invalid_argument] if one is not of the universe, before anything is done.
    Complexities are as for the sequential structure. *)

module Make
    (Sequential : Weft_containers.Int_map.S)
    (_ : sig
      val name : string
      (** The name of the new module in error messages. *)
    end) : S with module Sequential = Sequential
