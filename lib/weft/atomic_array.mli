(** Arrays of integers whose elements are atomic.

    For integers that many tasks change at the same time: marks, parents and distances of a graph's vertices,
    counters, the best candidate so far. The functions have the names of OCaml's [Atomic], and take an index.

    An array takes one word for each element, and the collector does not look into it; an [int Atomic.t array]
    takes three words, in blocks of their own, and a read misses the cache twice. Elements are not padded, so
    neighbours share a cache line. If all domains change a few elements all the time, use every sixteenth
    element only; for a single counter see {!Weft.Local.Worker_local} and [Weft_batch.Counter].

    {b Order.} All operations on elements are sequentially consistent. As with OCaml's [Atomic], a task that
    reads the value which another task put into an element also sees everything that the other task wrote
    before. {!make}, {!init}, {!of_array} and {!to_array} are loops, as in {!Weft.Array}: they may suspend the
    fiber, and a cancellation stops them. The other functions neither suspend nor look for a cancellation. Do
    not compare, hash or marshal an array: use {!to_array}.

    {b Cost.} O(1) steps and no allocation, unless it says otherwise. {!get} is a check of the index and one
    load, compiled inline on x86-64, a call in C elsewhere. The others call C: one locked instruction, or a
    plain store while the program has a single domain, as OCaml's own. {!write_min}, {!write_max} and
    {!priority_update} try again only if another task has changed the same element in between. *)

type t
(** An array of atomic integers. *)

(** {1 Making arrays} *)

val make : int -> int -> t
(** [make n x] is an array of [n] elements, all of them [x]. O(n).
    @raise Invalid_argument if [n] is negative, or larger than the length of an array can be. *)

val init : int -> (int -> int) -> t
(** [init n f] is the array of [f 0], ..., [f (n - 1)]. O(n) steps and calls.
    @raise Invalid_argument as {!make}. *)

val of_array : int array -> t
(** [of_array a] is a new array with the elements of [a]. O(n). *)

val to_array : t -> int array
(** [to_array a] is a new array with the elements of [a], which are read one by one: if other tasks change [a]
    meanwhile, the result mixes old and new elements. O(n). *)

val length : t -> int
(** [length a] is the number of elements. *)

(** {1 Elements}

    All raise [Invalid_argument] if there is no element [i]. *)

val get : t -> int -> int
(** [get a i] is element [i]. *)

val set : t -> int -> int -> unit
(** [set a i x] sets element [i] to [x]. *)

val exchange : t -> int -> int -> int
(** [exchange a i x] sets element [i] to [x] and returns its previous value. *)

val compare_and_set : t -> int -> int -> int -> bool
(** [compare_and_set a i was x] sets element [i] to [x] if its value is [was], and returns whether it did. *)

val fetch_and_add : t -> int -> int -> int
(** [fetch_and_add a i n] adds [n] to element [i] and returns its previous value. *)

val incr : t -> int -> unit
(** [incr a i] is [ignore (fetch_and_add a i 1)]. *)

val decr : t -> int -> unit
(** [decr a i] is [ignore (fetch_and_add a i (-1))]. *)

(** {1 The best so far}

    Of all values that tasks offer to an element, the best one stays, in whatever order they come: so the
    final value is deterministic. An offer that is no better only reads the element, which costs other domains
    nothing; of [k] offers in random order about [ln k] write (Shun, Blelloch, Fineman and Gibbons, Reducing
    contention through priority updates, SPAA 2013). *)

val write_min : t -> int -> int -> bool
(** [write_min a i x] sets element [i] to [x] if [x] is less than its value, and returns whether it did. *)

val write_max : t -> int -> int -> bool
(** [write_max a i x] sets element [i] to [x] if [x] is greater than its value, and returns whether it did. *)

val priority_update : better:(int -> int -> bool) -> t -> int -> int -> bool
(** [priority_update ~better a i x] sets element [i] to [x] if [better x y] holds, where [y] is its value, and
    returns whether it did. [better] must be a strict order: for indices of edges, say, that the first edge
    weighs less than the second. If another task has changed the element meanwhile, [better] is called again,
    with the new value. If [better] raises, so does [priority_update], and [a] is unchanged. *)
