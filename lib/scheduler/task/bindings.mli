(** Immutable maps from keys of any type to values: the bindings of a fiber. *)

type t

val empty : t

val is_empty : t -> bool
(** One comparison. *)

type 'a key

val key : unit -> 'a key
(** A new key, equal to no other. *)

val add : 'a key -> 'a -> t -> t
(** [add k v b] is [b] with [k] bound to [v], and to nothing else. O(log n) in the number of keys bound. *)

val find : 'a key -> default:'a -> t -> 'a
(** [find k ~default b] is the value that [k] is bound to in [b], or [default]. O(log n). *)
