(** A counter: an integer that changes. Nothing raises; integers wrap around.

    {b Cost.} Each function is O(1). *)

type t

val create : ?value:int -> unit -> t
(** [create ()] counts from [value], by default 0. *)

val get : t -> int
val set : t -> int -> unit

val add : t -> int -> unit
(** [add t n] adds [n], which may be negative. *)

val fetch_add : t -> int -> int
(** [fetch_add t n] adds [n], and is the value before. *)

val incr : t -> unit
(** [incr t] is [add t 1]. *)

val decr : t -> unit
(** [decr t] is [add t (-1)]. *)
