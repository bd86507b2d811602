(** The recursive trees of {!Veb}. When a tree becomes empty, its holder must replace it by {!empty}.

    Every function that takes a tree also takes the number of bits of its keys, 1 to 62, and keys of so many
    bits.

    {b Cost.} O(log bits) each, unless it says otherwise. If clusters are in a hash table (those of nodes
    whose high parts have more than 16 bits), times are expected and amortised. *)

type 'v t

val empty : 'v t

val singleton : int -> int -> 'v -> 'v t
(** [singleton bits key value] is a tree with one binding. O(1). *)

val is_empty : 'v t -> bool

val min : 'v t -> int
(** The least key; -1 if there is none. O(1), as {!max}. *)

val max : 'v t -> int

val min_value : 'v t -> 'v
(** The value of the least key of a tree that is not empty. O(1). *)

val mem : 'v t -> int -> int -> bool
(** [mem tree bits key] is whether [key] is in the tree. *)

val find_opt : 'v t -> int -> int -> 'v option

val succ : 'v t -> int -> int -> int
(** The least greater key; -1 if there is none. *)

val pred : 'v t -> int -> int -> int

val add : 'v t -> int -> int -> 'v -> bool
(** [add tree bits key value] binds [key], and is whether it is new in the tree, which must not be empty. *)

(** What {!remove} has done. After [Emptied], the tree must not be used any more. *)
type outcome = Absent | Removed | Emptied

val remove : 'v t -> int -> int -> outcome

val iter : (int -> 'v -> unit) -> int -> 'v t -> int -> unit
(** [iter f base tree bits] calls [f (base lor key) value] in increasing order of keys. O(n). *)

val check : 'v t -> int -> int
(** For tests: checks the tree, and is how many keys it has. O(n).
    @raise Failure if something is not in order. *)

val warm : 'v t -> int -> int array -> int -> unit
(** [warm tree bits keys n] reads what operations on the first [n] of [keys] will read. It waits for the
    memory of several keys at the same time. *)

(** {1 The topmost node}

    Functions for callers that change the clusters of a node themselves. *)

val low_bits : int -> int
(** How many bits the keys of clusters have in a node of so many bits, 6 or more. O(1). *)

val get_cluster : 'v t -> int -> 'v t
(** [get_cluster node h] is cluster [h]. O(1). *)

val put_cluster : 'v t -> int -> int -> 'v t -> unit
(** [put_cluster node bits h tree] replaces cluster [h] and updates the summary, but neither the least nor the
    greatest key. *)

val has_array : 'v t -> bool
(** Whether clusters are in an array: then several threads may replace different ones there at the same time.
*)

val replace_in_array : 'v t -> int -> 'v t -> unit
(** [replace_in_array node h tree] replaces cluster [h], and nothing else. O(1). *)

val summarize_top : 'v t -> int -> int -> unit
(** [summarize_top node bits h] notes that cluster [h] is not empty any more. *)

val unsummarize_top : 'v t -> int -> int -> unit
(** [unsummarize_top node bits h] notes that cluster [h], which was not empty, is empty now. *)

val settle : 'v t -> int -> min_taken:bool -> 'v t
(** [settle node bits ~min_taken] finds the least and the greatest key again. [min_taken] says that the least
    key that the node has is not its own any more: it is in its cluster, or has been removed. The result is
    the node, or {!empty}. *)
