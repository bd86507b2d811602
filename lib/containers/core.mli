(** The maps of one shard, from which {!Joined} makes whole maps. The keys of a shard differ only in their
    last [height] bits.

    Functions take whole keys, and do not check them.

    {b Cost.} That of {!X_fast} or {!Y_fast}, which are made of this; {!S.create} O(1), {!S.iter} and
    {!S.check} O(n). *)

module type S = sig
  type 'v t

  val name : string
  (** The name of the resulting module: ["X_fast"]. *)

  val create : bits:int -> height:int -> 'v t
  (** [bits] is how many bits a whole key has. An empty map takes a few words. *)

  val length : 'v t -> int
  val mem : 'v t -> int -> bool
  val find_opt : 'v t -> int -> 'v option
  val add : 'v t -> int -> 'v -> unit
  val remove : 'v t -> int -> bool
  val min_binding_opt : 'v t -> (int * 'v) option
  val max_binding_opt : 'v t -> (int * 'v) option
  val succ : 'v t -> int -> (int * 'v) option
  val pred : 'v t -> int -> (int * 'v) option
  val iter : (int -> 'v -> unit) -> 'v t -> unit

  val warm : 'v t -> int -> unit
  (** Reads what operations on a key will read first: see {!Int_map.S.warm}. *)

  val warm_more : 'v t -> int -> unit
  (** Reads what they will read next. *)

  val check : 'v t -> unit
  (** For tests.
      @raise Failure if something is not in order. *)
end
