(** The signatures that the maps have in common.

    {b Cost.} Each structure states what its functions cost. *)

(** Keys in order. *)
module type ORDERED = sig
  type t

  val compare : t -> t -> int
  (** Less than 0, 0 or more than 0. What a map costs is told in these calls, at one step each: their own cost
      is the user's. *)
end

(** What every map can do. Maps are mutable; one thread at a time. *)
module type MAP = sig
  type key

  type 'v t
  (** A map from keys to values of type ['v]. *)

  val length : 'v t -> int
  (** How many keys are bound. O(1). *)

  val mem : 'v t -> key -> bool
  val find_opt : 'v t -> key -> 'v option

  val add : 'v t -> key -> 'v -> unit
  (** [add t k v] binds [k] to [v], in place of what it was bound to. *)

  val remove : 'v t -> key -> bool
  (** [remove t k] unbinds [k]; whether it was bound. *)

  val update : 'v t -> key -> ('v option -> 'v option) -> 'v option
  (** [update t k f] is what [k] is bound to, which becomes [f] of that; [None]: not bound. If [f] raises,
      nothing changes. *)

  val iter : (key -> 'v -> unit) -> 'v t -> unit
  (** In increasing order of keys, where there is one. The map must not be changed meanwhile. *)

  val fold : (key -> 'v -> 'acc -> 'acc) -> 'v t -> 'acc -> 'acc
  val to_seq : 'v t -> (key * 'v) Seq.t
end

(** What those with ordered keys can do. *)
module type ORDERED_MAP = sig
  include MAP

  val min_binding_opt : 'v t -> (key * 'v) option
  val max_binding_opt : 'v t -> (key * 'v) option

  val succ : 'v t -> key -> (key * 'v) option
  (** [succ t k] is the binding of the smallest key greater than [k], which need not be bound itself. *)

  val pred : 'v t -> key -> (key * 'v) option
  (** [pred t k] is the binding of the greatest key smaller than [k]. *)
end
