(** Immutable maps from keys of any type to values: the bindings of a fiber. *)

type t

val empty : t

val is_empty : t -> bool
(** One comparison. *)

type 'a key

val key : ?inherited:bool -> unit -> 'a key
(** A new key, equal to no other. [inherited] (default [true]): whether a task begins with what is bound to it
    where the task was made. *)

val inherited : t -> t
(** [inherited b] is what a task begins with that is made where [b] is bound. One comparison for {!empty},
    else O(log n). *)

val add : 'a key -> 'a -> t -> t
(** [add k v b] is [b] with [k] bound to [v], and to nothing else. O(log n) in the number of keys bound. *)

val find : 'a key -> default:'a -> t -> 'a
(** [find k ~default b] is the value that [k] is bound to in [b], or [default]. O(log n). *)
