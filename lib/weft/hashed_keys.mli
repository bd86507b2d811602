(** Equal keys of an array, found by hash.

    The array is divided into blocks, by its length alone. Each block enters its keys into a small table of
    its own, in parallel: an {e entry} for each key of a block. Then the entries are dealt out by their hashes
    into {e buckets}, and the entries of each bucket are entered into one table, in the order of the blocks,
    again in parallel. The first entry of a key is the {e leader} of the others. So if there are few different
    keys, few entries are left for the second step; if there are many, each table is small enough for a
    processor's cache all the same. The results do not depend on the number of workers.

    O(n) steps and words, expected, if keys are hashed well. The span is that of two loops, a block, the
    largest bucket, and the number of blocks times that of buckets. *)

type 'k t

val make : who:string -> hash:('k -> int) -> equal:('k -> 'k -> bool) -> 'k array -> 'k t
(** Of an array that is not empty. Calls [hash] once for each key. Only inside a pool. *)

val groups : 'k t -> int
(** How many different keys there are. They are numbered in the order in which they occur first. *)

val first : 'k t -> int -> int
(** [first t g] is the index of the first element with key [g]. *)

(** {1 Folding the elements of each key}

    First the elements of each entry, then the entries of each key, both in the order of the array. *)

val entries : 'k t -> int

val leader : 'k t -> int -> int
(** [leader t g] is the first entry of key [g]. *)

val key_of_entry : 'k t -> int -> int
(** The number of the entry's key. *)

val over_elements : 'k t -> (int -> int -> unit) -> unit
(** [over_elements t f] calls [f i e] for each index [i], where [e] is its entry: those of one entry one after
    the other, in order. *)

val is_first : 'k t -> int -> int -> bool
(** [is_first t i e]: whether element [i] is the first of its entry [e]. *)

val over_entries : 'k t -> (int -> int -> unit) -> unit
(** [over_entries t f] calls [f e l] for each entry [e], where [l] is its leader: those of one leader one
    after the other, in order, [f l l] before the others. *)
