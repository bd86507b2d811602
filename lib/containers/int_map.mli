(** The signature that the maps from the integers of a universe have in common.

    {b Cost.} Each structure states what its maps cost. {!S.bits} is O(1), {!S.check} O(n). In parts:
    {!S.mem_in}, {!S.find_in}, {!S.add_in}, {!S.remove_in} and {!S.update_in} cost what the map's functions
    do; {!S.open_shard}, {!S.close_shard} and {!S.warm}, of each key, are O(bits); {!S.expose} and {!S.repair}
    take O(bits) for each touched shard at most, amortised, and what is done in a shard costs what it does to
    a map. *)

module type S = sig
  include Maps.ORDERED_MAP with type key = int

  val create : bits:int -> unit -> 'v t
  (** [create ~bits ()] is an empty map from keys of [bits] bits: 0 to [2 ** bits - 1]. All functions that
      take a key raise [Invalid_argument] if it is not one of these.

      @raise Invalid_argument if [bits] is not in 1..62. *)

  val bits : 'v t -> int
  (** How many bits keys have. *)

  val check : 'v t -> unit
  (** For tests: checks the whole map.
      @raise Failure if something is not in order. *)

  (** {1 In parts}

      A map consists of shards; the topmost bits of a key choose its shard. {!expose} takes some shards out,
      several threads may then work on different ones at the same time, and {!repair} puts them back. Between
      the two, nothing else may be done with the map. The functions of this section do not check keys. *)

  val shard_of : 'v t -> key -> int
  (** The shard that a key belongs to: not negative, and monotonic in the key. O(1). *)

  type 'v parts

  val expose : 'v t -> touched:int array -> 'v parts
  (** Takes out the shards [touched], which must be different and in increasing order. *)

  val warm : 'v parts -> int array -> int -> unit
  (** [warm parts keys n] reads what operations on the first [n] of [keys] will read, and changes nothing. The
      keys must belong to touched shards that nobody else works on. An operation reads one thing after the
      other; [warm] waits for the memory of several keys at the same time. *)

  type 'v shard

  val open_shard : 'v parts -> int -> 'v shard
  (** [open_shard parts i] is shard [touched.(i)]. Only one thread at a time may have it open, until
      {!close_shard}. *)

  val mem_in : 'v shard -> key -> bool
  (** As [mem], for a key of this shard; the functions that follow are likewise. *)

  val find_in : 'v shard -> key -> 'v option
  val add_in : 'v shard -> key -> 'v -> unit
  val remove_in : 'v shard -> key -> bool
  val update_in : 'v shard -> key -> ('v option -> 'v option) -> 'v option

  val close_shard : 'v parts -> int -> 'v shard -> unit
  (** [close_shard parts i shard] says that the work on shard [touched.(i)] has ended. *)

  val repair : 'v t -> 'v parts -> unit
  (** Puts the shards back. The cost depends on how many they are, not on the size of the map. *)
end
