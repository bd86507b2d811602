(** Growing arrays of integers. *)

type t

val create : unit -> t
val length : t -> int

val get : t -> int -> int
(** @raise Invalid_argument if there is no such element. *)

val push : t -> int -> unit
(** O(1), amortised. *)

val clear : t -> unit
(** O(1). *)

val elements : t -> int array
(** The array that holds the elements, for reading. It may be longer than {!length}, and is valid until
    something is pushed. *)
