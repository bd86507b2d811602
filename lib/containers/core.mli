(** What {!Joined} makes maps of: maps of one shard, that is of keys that agree but for their last [height]
    bits.

    Keys are whole keys. They are not checked.

    {b Cost.} That of {!X_fast} or {!Y_fast}, which are made of this; {!S.create} O(1), {!S.iter} and
    {!S.check} O(n). *)

module type S = sig
  type 'v t

  val name : string
  (** The module that is made: ["X_fast"]. *)

  val create : bits:int -> height:int -> 'v t
  (** [bits]: of whole keys. An empty map takes a few words. *)

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
  (** Reads what they will read then. *)

  val check : 'v t -> unit
  (** For tests.
      @raise Failure if something is not in order. *)
end
