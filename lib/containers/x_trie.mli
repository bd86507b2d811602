(** One x-fast trie, of keys that agree but for their last [height] bits (D. E. Willard, Log-logarithmic
    worst-case range queries are possible in space Theta(N), Information Processing Letters 17, 1983).

    At each depth there is a hash table of the prefixes that keys have. A node without a left child points to
    the least leaf below it instead, one without a right child to the greatest; leaves are linked in order. So
    the neighbours of a key are found by a binary search for the depth of its longest prefix.

    {b Cost.} Times are expected, those of changes amortised too: {!leaf} O(1), {!succ}, {!pred} and {!floor}
    O(log height), {!add} and {!remove} O(height); but these look only at those levels where a key or one of
    its neighbours is for itself: few, if keys are dense. Space for n keys: O(n height). *)

type 'a t

val create : height:int -> 'a -> 'a t
(** [create ~height filler] is an empty trie. It takes a few words. [filler] is put where values were. *)

val length : 'a t -> int
(** How many keys are bound. O(1). *)

val add : 'a t -> int -> 'a -> unit
(** [add t k v] binds [k] to [v], in place of what it was bound to. *)

val remove : 'a t -> int -> bool
(** Whether the key was bound. *)

val iter : (int -> 'a -> unit) -> 'a t -> unit
(** In increasing order of keys. O(n). *)

val check : 'a t -> unit
(** For tests.
    @raise Failure if something is not in order. *)

val warm : 'a t -> int -> unit
(** Reads where searches for a key begin at those depths that are most likely to be looked at. Changes
    nothing: but whoever calls it for several keys, before he looks for the first, waits for memory once and
    not each time. *)

val warm_leaf : 'a t -> int -> unit
(** Likewise for the table of leaves. *)

(** {1 Leaves}

    Numbers, not negative, that are valid until the next change. *)

val none : int
(** -1: no leaf. *)

val leaf : 'a t -> int -> int
(** That of a key, if it is bound. O(1). *)

val floor : 'a t -> int -> int
(** That of the greatest key that is not above. *)

val succ : 'a t -> int -> int
(** That of the least key above. *)

val pred : 'a t -> int -> int
(** That of the greatest key below. *)

val first : 'a t -> int
(** That of the least key. O(1), like all that follow. *)

val last : 'a t -> int
val before : 'a t -> int -> int
val after : 'a t -> int -> int
val key : 'a t -> int -> int
val value : 'a t -> int -> 'a
