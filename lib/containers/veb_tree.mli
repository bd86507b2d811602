(** The recursive trees of {!Veb}: an empty one is always replaced by [Empty], by whoever holds it.

    Every function that takes a tree takes the number of bits of its keys, 1 to 62, too, and keys of so many
    bits.

    {b Cost.} O(log bits) each, unless it says otherwise; where clusters are in a hash table (those of nodes
    whose high parts have more than 16 bits), expected and amortised. *)

type 'v t

val empty : 'v t

val singleton : int -> int -> 'v -> 'v t
(** [singleton bits key value]. O(1). *)

val is_empty : 'v t -> bool

val min : 'v t -> int
(** The least key; -1: none. O(1), as {!max}. *)

val max : 'v t -> int

val min_value : 'v t -> 'v
(** What the least key of a tree that is not empty is bound to. O(1). *)

val mem : 'v t -> int -> int -> bool
(** [mem tree bits key]. *)

val find_opt : 'v t -> int -> int -> 'v option

val succ : 'v t -> int -> int -> int
(** The least key above; -1: none. *)

val pred : 'v t -> int -> int -> int

val add : 'v t -> int -> int -> 'v -> bool
(** [add tree bits key value]: whether [key] is new in the tree, which must not be empty. *)

(** What {!remove} has done; [Emptied]: the tree must now be given up. *)
type outcome = Absent | Removed | Emptied

val remove : 'v t -> int -> int -> outcome

val iter : (int -> 'v -> unit) -> int -> 'v t -> int -> unit
(** [iter f base tree bits] calls [f (base lor key) value] in increasing order of keys. O(n). *)

val check : 'v t -> int -> int
(** For tests: how many keys there are. O(n).
    @raise Failure if something is not in order. *)

val warm : 'v t -> int -> int array -> int -> unit
(** [warm tree bits keys n] reads what operations on the first [n] of [keys] will read, all together. *)

(** {1 The topmost node}

    What is done to clusters behind the back of their node. *)

val low_bits : int -> int
(** How many bits the keys of the clusters of a node of so many bits have; for 6 bits and more. O(1). *)

val get_cluster : 'v t -> int -> 'v t
(** O(1). *)

val put_cluster : 'v t -> int -> int -> 'v t -> unit
(** [put_cluster node bits h tree] replaces cluster [h]; the summary follows, but neither the least nor the
    greatest key. *)

val has_array : 'v t -> bool
(** Whether clusters are in an array: then different ones may be replaced there at the same time. *)

val replace_in_array : 'v t -> int -> 'v t -> unit
(** [replace_in_array node h tree] replaces cluster [h], and nothing else. O(1). *)

val summarize_top : 'v t -> int -> int -> unit
(** [summarize_top node bits h]: cluster [h] is not empty any more. *)

val unsummarize_top : 'v t -> int -> int -> unit
(** [unsummarize_top node bits h]: cluster [h], which was not empty, is empty now. *)

val settle : 'v t -> int -> min_taken:bool -> 'v t
(** [settle node bits ~min_taken] finds the least and the greatest key again. [min_taken]: what the node has
    as its least key is not its any more, but in a cluster, if it still exists. The result is the node, or
    empty. *)
