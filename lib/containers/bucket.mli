(** Sorted arrays of some tens of keys with their values: the leaves of {!Y_trie}.

    {b Cost.} O(1), unless it says otherwise; {!iter} and {!check} O(size). *)

type 'v t

val create : unit -> 'v t
val size : 'v t -> int
val key : 'v t -> int -> int
val value : 'v t -> int -> 'v
val set_value : 'v t -> int -> 'v -> unit

val search : 'v t -> int -> int
(** How many keys are less than this one. O(log size). *)

val holds : 'v t -> int -> int -> bool
(** [holds b i k] is whether key number [i] exists and is [k]. *)

val index : 'v t -> int -> int
(** The number of a key, or -1. O(log size). *)

val insert : 'v t -> int -> int -> 'v -> unit
(** [insert b i k v] makes [k] key number [i]; it must be greater than those before it, and less than the
    others. O(size). *)

val delete : 'v t -> int -> unit
(** [delete b i] removes key number [i]. O(size). *)

val append : 'v t -> 'v t -> unit
(** [append b other] adds the bindings of [other], whose keys must all be greater than those of [b]. O(size).
*)

val split : 'v t -> 'v t
(** Takes the upper half of the keys out of the bucket, which must have two or more, and returns them.
    O(size). *)

val warm : 'v t -> unit
(** Reads some keys and values in the middle. *)

val iter : (int -> 'v -> unit) -> 'v t -> unit

val check : 'v t -> unit
(** For tests.
    @raise Failure if something is not in order. *)
