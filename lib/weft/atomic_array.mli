(** Arrays of integers whose elements are atomic.

    For what many tasks change at once by index: marks, parents and distances of a graph's vertices, counters,
    the best candidate so far. The names are those of OCaml's [Atomic], with an index.

    An array takes one word for each element, and the collector does not look into it; an [int Atomic.t array]
    takes three words, in blocks of their own, and a read misses the cache twice. Elements are not padded: so
    a million marks fit where a million marks should, but neighbours share a cache line. If a few elements are
    changed by all domains all the time, use every sixteenth; for a single counter see
    {!Weft.Local.Worker_local} and [Weft_batch.Counter].

    {b Order.} All operations on elements are sequentially consistent, and make writes visible as operations
    of OCaml's [Atomic] do: who reads what a task has written to an element sees what that task wrote before.
    {!make}, {!init}, {!of_array} and {!to_array} are loops, as in {!Weft.Array}: they may suspend, and stop
    at a cancellation; nothing else here does either. Do not compare, hash or marshal an array: use
    {!to_array}.

    {b Cost.} O(1) steps and no allocation, unless it says otherwise. {!get} is a check of the index and one
    load, compiled inline on x86-64, a call in C elsewhere. The others are calls in C of one locked
    instruction; in a program with a single domain, of a plain store, as OCaml's own. An operation that may
    have to try again does so only if another domain has changed the same element in between. *)

type t
(** An array of atomic integers. *)

(** {1 Making arrays} *)

val make : int -> int -> t
(** [make n x] has [n] elements [x]. O(n).
    @raise Invalid_argument if [n < 0], or more than an array can have. *)

val init : int -> (int -> int) -> t
(** [init n f] has the elements [f 0, ..., f (n - 1)]. O(n) steps and calls.
    @raise Invalid_argument as {!make}. *)

val of_array : int array -> t
(** [of_array a] has the elements of [a]. O(n). *)

val to_array : t -> int array
(** [to_array a] has the elements of [a], each read on its own: if others change [a] meanwhile, the result may
    be what [a] never was as a whole. O(n). *)

val length : t -> int
(** [length a] is how many elements [a] has. *)

(** {1 Elements}

    All raise [Invalid_argument] if there is no element [i]. *)

val get : t -> int -> int
(** [get a i] is element [i]. *)

val set : t -> int -> int -> unit
(** [set a i x] makes [x] element [i]. *)

val exchange : t -> int -> int -> int
(** [exchange a i x] makes [x] element [i], and is what it was before. *)

val compare_and_set : t -> int -> int -> int -> bool
(** [compare_and_set a i was x] makes [x] element [i] if that is [was], and is whether it was. *)

val fetch_and_add : t -> int -> int -> int
(** [fetch_and_add a i n] adds [n] to element [i], and is what it was before. *)

val incr : t -> int -> unit
(** [incr a i] is [ignore (fetch_and_add a i 1)]. *)

val decr : t -> int -> unit
(** [decr a i] is [ignore (fetch_and_add a i (-1))]. *)

(** {1 The best so far}

    Of all values that tasks offer to an element the best stays, whoever comes first: so results are
    deterministic. An offer that is no better is a read, and costs the others nothing; of [k] offers in random
    order about [ln k] write (Shun, Blelloch, Fineman and Gibbons, Reducing contention through priority
    updates, SPAA 2013). *)

val write_min : t -> int -> int -> bool
(** [write_min a i x] makes [x] element [i] if it is less than that, and is whether it was. *)

val write_max : t -> int -> int -> bool
(** [write_max a i x] makes [x] element [i] if it is greater than that, and is whether it was. *)

val priority_update : better:(int -> int -> bool) -> t -> int -> int -> bool
(** [priority_update ~better a i x] makes [x] element [i] if [better x y] holds for the element [y], and is
    whether it did. [better] must be a strict order, and is called again if [y] has been replaced meanwhile:
    that the index of an edge with less weight is better, say. What it raises comes out, and [a] is as before.
*)
