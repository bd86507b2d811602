(** Arrays of which few elements are not the default: an {!Int_table} of their places.

    {b Cost.} Expected O(1), amortised for changes. *)

type 'a t

val create : 'a -> 'a t
(** [create default]: every element is [default]. *)

val get : 'a t -> int -> 'a
(** O(1) expected. *)

val set : 'a t -> int -> 'a -> unit
(** O(1) expected, amortised. *)

val clear : 'a t -> int -> unit
(** [clear t i] makes element [i] the default again; its place is used for others. O(1) expected, amortised.
*)
