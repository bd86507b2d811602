(** Arrays most of whose elements are the default: an {!Int_table} holds the places of the others.

    {b Cost.} Expected O(1), amortised for changes. *)

type 'a t

val create : 'a -> 'a t
(** [create default] is an array of which every element is [default]. *)

val get : 'a t -> int -> 'a
(** O(1) expected. *)

val set : 'a t -> int -> 'a -> unit
(** O(1) expected, amortised. *)

val clear : 'a t -> int -> unit
(** [clear t i] makes element [i] the default again, and frees its place for others. O(1) expected, amortised.
*)
