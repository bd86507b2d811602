(** Hash tables from integers to integers, neither negative.

    Open addressing with linear probing in one array of integers, with deletion (Knuth, The Art of Computer
    Programming 3, 6.4, algorithms L and R). At most five eighths of the slots are taken, and at least an
    eighth.

    {b Cost.} Expected O(1), amortised for changes, unless it says otherwise; slots are O(1). *)

type t

val create : unit -> t
(** An empty table. It takes no memory for slots until something is added. *)

val length : t -> int
(** How many keys are bound. O(1). *)

val find : t -> int -> int
(** [find t k] is the value of [k], or -1 if it is not bound. O(1) expected. *)

val mem : t -> int -> bool
(** Whether [k] is bound. O(1) expected. *)

val replace : t -> int -> int -> unit
(** [replace t k v] binds [k >= 0] to [v >= 0]. O(1) expected, amortised. *)

val remove : t -> int -> unit
(** [remove t k] unbinds [k], if it is bound. O(1) expected, amortised. *)

val iter : (int -> int -> unit) -> t -> unit
(** Goes through all bindings, in no order. O(n). *)

val warm : t -> int -> unit
(** Reads the slot where the search for a key begins, to bring it into the cache. *)

(** {1 Slots}

    A slot is valid until the next {!replace} of another key or {!remove}. *)

val slot : t -> int -> int
(** The slot of [k], or -1. O(1) expected. *)

val value : t -> int -> int
(** The value of the key in this slot. *)

val set_value : t -> int -> int -> unit
(** [set_value t slot v] binds the key in this slot to [v]. *)

val check : t -> unit
(** For tests. O(n).
    @raise Failure if the table is not in order. *)
