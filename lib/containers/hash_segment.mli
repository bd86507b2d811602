(** The tables that a {!Hash_table} consists of: mutable, with chained bindings. Each grows and shrinks on its
    own.

    The caller gives the hash with the key: the same for equal keys, and with good lowest bits
    ({!Hash_table.Make.hash}). It is kept with the binding. So growing calls no function of the keys, and a
    search calls [equal] only on keys with the same hash. If [equal] raises, nothing has changed.

    {b Cost.} Expected O(1) for a key, amortised for changes; O(n) for functions that go through all bindings
    ({!Make.iter}, {!Make.fold}, {!Make.to_seq}, {!Make.longest_chain}, {!Make.check}), and to move them. *)

module Make (Key : sig
  type t

  val equal : t -> t -> bool
end) : sig
  type 'v t

  val create : unit -> 'v t
  (** An empty table of 8 buckets. A table has at most as many bindings as buckets; if it has more than 8
      buckets, it has at least an eighth as many. *)

  val length : 'v t -> int

  val mem : 'v t -> int -> Key.t -> bool
  (** [mem s h k] is whether [k], with hash [h], is bound. Expected O(1) if hashes are spread evenly, else
      O(the length of the chain); the same holds for the functions that follow. *)

  val find_opt : 'v t -> int -> Key.t -> 'v option

  val add : 'v t -> int -> Key.t -> 'v -> unit
  (** The time is amortised, since [add] may double the buckets. *)

  val remove : 'v t -> int -> Key.t -> bool
  (** The time is amortised, since [remove] may halve the buckets. *)

  val update : 'v t -> int -> Key.t -> ('v option -> 'v option) -> 'v option
  (** See {!Maps.MAP.update}. The function must not change the table. *)

  val adopt : 'v t -> 'v t -> unit
  (** [adopt s source] moves all bindings of [source] to [s], which must not bind any of the same keys.
      [source] must not be used any more. *)

  val distribute : 'v t -> (int -> 'v t) -> unit
  (** [distribute s into] moves each binding of [s] to [into h], where [h] is its hash. [s] must not be used
      any more. *)

  val touch_bucket : 'v t -> int -> int
  (** [touch_bucket s h] brings the head of the chain of [h] into the processor's cache. The result has no
      meaning. It does not branch, so the processor waits for the memory of several such calls at the same
      time. *)

  val touch_node : 'v t -> int -> int
  (** [touch_node s h] likewise brings the first binding of that chain. *)

  val iter : (Key.t -> 'v -> unit) -> 'v t -> unit
  val fold : (Key.t -> 'v -> 'acc -> 'acc) -> 'v t -> 'acc -> 'acc
  val to_seq : 'v t -> (Key.t * 'v) Seq.t

  val longest_chain : 'v t -> int
  (** The most bindings in one bucket. *)

  val check : (Key.t -> int) -> 'v t -> unit
  (** [check hash s] checks what must hold between calls.
      @raise Failure with what is wrong, if anything is. *)
end
