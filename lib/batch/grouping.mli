(** Operations of a batch, put together by their shards.

    A stable sort of one integer per operation: by insertion if they are few, by radix if they are many, in
    parallel if they are very many, and not at all if they are in order. O(n), for shards of up to 30 bits. *)

type room

type t = {
  order : int array;
      (** the operations that belong to a shard, shard by shard, each in the order of arrival *)
  shards : int array;  (** the shards there are, in increasing order *)
  starts : int array;  (** where each begins in [order], and after them, where the last ends; and more *)
  room : room;  (** what [order] and [starts] lie in *)
}

val make : int -> (int -> int) -> t * int array
(** [make n shard_of] groups the operations 0 to [n - 1]; [shard_of i] is the shard of operation [i], or
    negative: the second result has these, in the order of arrival. [shard_of] may be called by several tasks
    at the same time.

    @raise Invalid_argument if a shard is [2 ** 30] or more. *)

val release : t -> unit
(** The groups are not used any more. *)
