(** Operations of a batch, grouped by their shards.

    It is a stable sort of one integer per operation: by insertion if they are few, by radix if they are many,
    in parallel if they are very many; none if they are in order. O(n), for shards of up to 30 bits. *)

type room

type t = {
  order : int array;
      (** the operations that belong to a shard, shard by shard, each in the order of arrival *)
  shards : int array;  (** the shards that occur, in increasing order *)
  starts : int array;
      (** where each shard begins in [order], and then where the last one ends; the rest is unused *)
  room : room;  (** the arrays that [order] and [starts] are part of *)
}

val make : int -> (int -> int) -> t * int array
(** [make n shard_of] groups the operations 0 to [n - 1]; [shard_of i] is the shard of operation [i], or
    negative. The second result has the operations whose shard is negative, in the order of arrival. Several
    tasks may call [shard_of] at the same time.
    @raise Invalid_argument if a shard is [2 ** 30] or more. *)

val release : t -> unit
(** Gives the arrays back; the groups must not be used any more. *)
