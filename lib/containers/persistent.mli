(** The signatures of persistent search trees: values that never change, so that any thread may read them at
    any time, and functions that make new trees which share most of their nodes with the old ones.

    {b Cost}, where {!JOINABLE.join} costs the difference of the heights, for n bindings: each function is
    O(log n), {!TREE.join2} and {!TREE.split} too, unless it says otherwise; {!JOINABLE.empty} is O(1); O(n)
    for {!TREE.iter}, {!TREE.fold} and all of {!TREE.to_seq}. A change allocates O(log n) words.
    {!TREE.rejoin} is {!JOINABLE.join} at most. *)

(** What is at the root of a tree ['t] with keys ['k] and values ['v]: the keys of [left] are smaller than
    [key], those of [right] greater. *)
type ('k, 'v, 't) view = Empty | Root of { left : 't; key : 'k; value : 'v; right : 't }

(** The least that a search tree must offer. {!Join_based} makes all the rest of it. *)
module type JOINABLE = sig
  module Key : Maps.ORDERED

  type 'v t
  (** A tree of bindings of keys to values of type ['v]. *)

  val empty : 'v t

  val length : 'v t -> int
  (** How many bindings there are. Should be O(1). *)

  val expose : 'v t -> (Key.t, 'v, 'v t) view
  (** The root and what is on both sides. O(1). *)

  val join : 'v t -> Key.t -> 'v -> 'v t -> 'v t
  (** [join l k v r] has all bindings of [l] and [r], and [k] bound to [v]. The keys of [l] must be smaller
      than [k], those of [r] greater; the trees may be of any sizes. It restores the balance. No comparisons.
  *)
end

(** All of it. No function changes anything, so that one that raises, since comparing keys did, has done
    nothing. Where nothing is different the result is the very same tree ([==]). *)
module type TREE = sig
  include JOINABLE

  (** {1 One key} *)

  val mem : 'v t -> Key.t -> bool
  val find_opt : 'v t -> Key.t -> 'v option

  val insert : 'v t -> Key.t -> 'v -> 'v t
  (** [insert t k v] binds [k] to [v]. A key that is bound already stays as it is, only its value is new: the
      same tree if the value is the very same. *)

  val remove : 'v t -> Key.t -> 'v t
  (** The same tree if the key is not bound. *)

  val warm : 'v t -> Key.t -> Key.t -> Key.t -> Key.t -> unit
  (** [warm t a b c d] may look for four keys at once, and tells nothing. The nodes on the way are then in the
      processor's caches, and since its four searches do not wait for each other, they came there in a
      fraction of the time of four searches in a row. Worth it before operations on these keys of a tree that
      is larger than the caches. *)

  (** {1 In order} *)

  val min_binding_opt : 'v t -> (Key.t * 'v) option
  val max_binding_opt : 'v t -> (Key.t * 'v) option

  val succ : 'v t -> Key.t -> (Key.t * 'v) option
  (** The binding of the smallest key greater than this one, which need not be bound. *)

  val pred : 'v t -> Key.t -> (Key.t * 'v) option

  val iter : (Key.t -> 'v -> unit) -> 'v t -> unit
  (** In increasing order of keys, like the following two. *)

  val fold : (Key.t -> 'v -> 'acc -> 'acc) -> 'v t -> 'acc -> 'acc
  val to_seq : 'v t -> (Key.t * 'v) Seq.t

  (** {1 Whole trees} *)

  val rejoin : 'v t -> 'v t -> Key.t -> 'v -> 'v t -> 'v t
  (** [rejoin t l k v r] is [join l k v r], for a [k] that is at the root of [t]: faster where [l] and [r] are
      nearly what {!expose} finds there. A tree that keeps something of its own with each key, such as its
      priority or its colour, keeps it. *)

  val join2 : 'v t -> 'v t -> 'v t
  (** [join2 l r] has the bindings of both; the keys of [l] must be smaller than those of [r]. *)

  val split : 'v t -> Key.t -> 'v t * 'v option * 'v t
  (** [split t k]: the bindings of keys smaller than [k], what [k] is bound to, those of greater keys. *)
end
