(** The signatures that the maps have in common.

    {b Cost.} Each structure states what its functions cost. *)

(** Keys in order. *)
module type ORDERED = sig
  type t

  val compare : t -> t -> int
  (** [compare a b] is less than 0, 0 or greater than 0. The costs of maps count each call as one step. If it
      is no order (it contradicts itself, say), answers are wrong and elements may be lost, those of a skip
      list with its length; but every call ends. *)
end

(** What every map can do. Maps are mutable; only one thread at a time may use one. *)
module type MAP = sig
  type key

  type 'v t
  (** A map from keys to values of type ['v]. *)

  val length : 'v t -> int
  (** How many keys are bound. O(1). *)

  val mem : 'v t -> key -> bool
  val find_opt : 'v t -> key -> 'v option

  val add : 'v t -> key -> 'v -> unit
  (** [add t k v] binds [k] to [v], in place of its old value if it has one. *)

  val remove : 'v t -> key -> bool
  (** [remove t k] unbinds [k], and is whether it was bound. *)

  val update : 'v t -> key -> ('v option -> 'v option) -> 'v option
  (** [update t k f] is the old value of [k], [None] if it was not bound. It gives [k] the value that [f]
      returns for the old one; if that is [None], [k] is no longer bound. If [f] raises, nothing changes. *)

  val iter : (key -> 'v -> unit) -> 'v t -> unit
  (** In increasing order of keys, if they are ordered. The map must not be changed meanwhile. *)

  val fold : (key -> 'v -> 'acc -> 'acc) -> 'v t -> 'acc -> 'acc
  val to_seq : 'v t -> (key * 'v) Seq.t
end

(** What maps with ordered keys can do. *)
module type ORDERED_MAP = sig
  include MAP

  val min_binding_opt : 'v t -> (key * 'v) option
  val max_binding_opt : 'v t -> (key * 'v) option

  val succ : 'v t -> key -> (key * 'v) option
  (** [succ t k] is the binding of the smallest key greater than [k], which need not be bound itself. *)

  val pred : 'v t -> key -> (key * 'v) option
  (** [pred t k] is the binding of the greatest key smaller than [k]. *)
end
