(** The nodes of {!Veb_tree}, and how keys are looked up in them.

    Up to five bits, a tree is a word. Above, a node of [bits] bits splits each key into a high part, the
    number of its cluster, and a low part. The least key is in no cluster; the greatest is in one, so [max] is
    a copy.

    A tree that exists is not empty, so there is always a value to fill arrays and [min_value] with.

    {b Cost.} As in {!Veb_tree}: O(log bits) for searches, O(1) for the others. *)

type 'v t =
  | Empty
  | Leaf of { mutable word : int; values : 'v array; mutable owner : int }
      (** places without a key have copies of the value of the key [owner], so that no removed value is kept
          alive *)
  | Node of {
      mutable min : int;
      mutable max : int;
      mutable min_value : 'v;
      mutable dense : 'v t array;  (** the clusters, or [[||]] *)
      mutable sparse : 'v t Sparse_array.t option;  (** the clusters, if they are too many for an array *)
      mutable summary : unit t;  (** the numbers of the clusters that are not empty *)
    }

val empty : 'v t

val low_bits : int -> int
(** How many bits the low parts of keys have in a node of so many bits, 6 or more. O(1). *)

val low_part : int -> int -> int
(** [low_part key low] is the last [low] bits of [key]. *)

val cluster : 'v t array -> 'v t Sparse_array.t option -> int -> 'v t
(** [cluster dense sparse h] is cluster [h] of the node that has these two fields. O(1). *)

val set_cluster : 'v t -> high:int -> int -> 'v t -> unit
(** [set_cluster node ~high h tree] replaces cluster [h] of a node whose high parts have [high] bits. *)

(** {1 As in {!Veb_tree}} *)

val singleton : int -> int -> 'v -> 'v t
val is_empty : 'v t -> bool
val min : 'v t -> int
val max : 'v t -> int
val min_value : 'v t -> 'v
val mem : 'v t -> int -> int -> bool
val find_opt : 'v t -> int -> int -> 'v option
val succ : 'v t -> int -> int -> int
val pred : 'v t -> int -> int -> int
