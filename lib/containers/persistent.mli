(** The signatures of persistent search trees. A tree never changes, so any thread may read it at any time;
    functions make new trees, which share most of their nodes with the old ones.

    {b Cost}, where {!JOINABLE.join} costs the difference of the heights, for n bindings: each function is
    O(log n), {!TREE.join2} and {!TREE.split} too, unless it says otherwise; {!JOINABLE.empty} is O(1); O(n)
    for {!TREE.iter}, {!TREE.fold} and all of {!TREE.to_seq}. A change allocates O(log n) words.
    {!TREE.rejoin} costs at most what {!JOINABLE.join} does. *)

(** What is at the root of a tree ['t] with keys ['k] and values ['v]: the keys of [left] are smaller than
    [key], those of [right] greater. *)
type ('k, 'v, 't) view = Empty | Root of { left : 't; key : 'k; value : 'v; right : 't }

(** The least that a search tree must offer. {!Join_based} makes all other functions from it. *)
module type JOINABLE = sig
  module Key : Maps.ORDERED

  type 'v t
  (** A tree of bindings of keys to values of type ['v]. *)

  val empty : 'v t

  val length : 'v t -> int
  (** How many bindings there are. Should be O(1). *)

  val expose : 'v t -> (Key.t, 'v, 'v t) view
  (** The root and the subtrees on both sides. O(1). *)

  val join : 'v t -> Key.t -> 'v -> 'v t -> 'v t
  (** [join l k v r] has all bindings of [l] and [r], and [k] bound to [v]. The keys of [l] must be smaller
      than [k], those of [r] greater; the trees may be of any sizes. It restores the balance, and compares no
      keys. *)
end

(** All functions of a search tree. None changes anything: if comparing keys raises, so does the function, and
    nothing has been done. If nothing is different, the result is the very same tree ([==]). *)
module type TREE = sig
  include JOINABLE

  (** {1 One key} *)

  val mem : 'v t -> Key.t -> bool
  val find_opt : 'v t -> Key.t -> 'v option

  val insert : 'v t -> Key.t -> 'v -> 'v t
  (** [insert t k v] binds [k] to [v]. If the key is bound already, the old key stays and gets the new value;
      if the value is the very same, so is the tree. *)

  val remove : 'v t -> Key.t -> 'v t
  (** Unbinds the key. The result is the same tree if the key is not bound. *)

  val warm : 'v t -> change:bool -> int -> (int -> Key.t) -> unit
  (** [warm t ~change n key] may search for [key 0], ..., [key (n - 1)] (for none if [n <= 0]), eight at a
      time, one level of each in turn. Then the nodes on the way are in the processor's caches, and with
      [change] also those that an insertion or a removal reads beside its way. The searches do not wait for
      each other's memory, so they take a fraction of the time of searches in a row, if the tree is much
      larger than the caches. Then this is worth while before operations on these keys. O(n log (length)); no
      more comparisons than n searches for keys that are not bound.

      This is group prefetching (Chen, Ailamaki, Gibbons and Mowry, Improving hash join performance through
      prefetching, ICDE 2004; Kocberber, Falsafi and Grot, Asynchronous memory access chaining, VLDB 2015,
      compare it with other ways), with loads in place of prefetches. *)

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
  (** [rejoin t l k v r] is [join l k v r], for a [k] that is at the root of [t]. It is faster if [l] and [r]
      are nearly what {!expose} finds there. If a tree stores something with each key, such as its priority or
      its colour, the key keeps it. *)

  val join2 : 'v t -> 'v t -> 'v t
  (** [join2 l r] has the bindings of both; the keys of [l] must be smaller than those of [r]. *)

  val split : 'v t -> Key.t -> 'v t * 'v option * 'v t
  (** [split t k] is the bindings of smaller keys, the value of [k] if it is bound, and the bindings of
      greater keys. *)
end
