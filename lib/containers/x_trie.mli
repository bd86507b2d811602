(** One x-fast trie, whose keys differ only in their last [height] bits (D. E. Willard, Log-logarithmic
    worst-case range queries are possible in space Theta(N), Information Processing Letters 17, 1983).

    At each depth there is a hash table of the prefixes of keys. A node without a left child points to the
    least leaf below it instead, one without a right child to the greatest; leaves are linked in order. So the
    neighbours of a key are found by a binary search for the depth of its longest prefix.

    {b Cost.} Times are expected, those of changes amortised too: {!leaf} O(1), {!succ}, {!pred} and {!floor}
    O(log height), {!add} and {!remove} O(height); but the last two look only at the levels where the key does
    not share its node with both of its neighbours: few, if keys are dense. Space for n keys: O(n height). *)

type 'a t

val create : height:int -> 'a -> 'a t
(** [create ~height filler] is an empty trie. It takes a few words. [filler] takes the place of values that
    have been removed. *)

val length : 'a t -> int
(** How many keys are bound. O(1). *)

val add : 'a t -> int -> 'a -> unit
(** [add t k v] binds [k] to [v], in place of its old value if it has one. *)

val remove : 'a t -> int -> bool
(** Unbinds the key, and is whether it was bound. *)

val iter : (int -> 'a -> unit) -> 'a t -> unit
(** In increasing order of keys. O(n). *)

val check : 'a t -> unit
(** For tests.
    @raise Failure if something is not in order. *)

val warm : 'a t -> int -> unit
(** Reads where searches for a key begin, at the depths that they are most likely to look at. Changes nothing.
    A caller that does this for several keys before it searches for the first waits for their memory at the
    same time. *)

val warm_leaf : 'a t -> int -> unit
(** Likewise reads the table of leaves. *)

(** {1 Leaves}

    A leaf is a number, not negative, that is valid until the next change. *)

val none : int
(** -1: no leaf. *)

val leaf : 'a t -> int -> int
(** The leaf of a key, or {!none} if it is not bound. O(1). *)

val floor : 'a t -> int -> int
(** The leaf of the greatest key that is not greater than this one. *)

val succ : 'a t -> int -> int
(** The leaf of the least greater key. *)

val pred : 'a t -> int -> int
(** The leaf of the greatest smaller key. *)

val first : 'a t -> int
(** The leaf of the least key. O(1), like all that follow. *)

val last : 'a t -> int
val before : 'a t -> int -> int
val after : 'a t -> int -> int
val key : 'a t -> int -> int
val value : 'a t -> int -> 'a
