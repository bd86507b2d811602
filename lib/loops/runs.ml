type found = Rising | Falling | Sorted
type cursor = { mutable left : int; mutable right : int }

module type S = sig
  type order
  type t

  val few : int
  val create : t -> t
  val length : t -> int
  val in_order : order -> t -> int -> t -> int -> bool
  val sort_few : order -> t -> t -> int -> int -> found
  val merge : order -> cursor -> t -> int -> int -> t -> int -> unit
  val copy : t -> int -> t -> int -> int -> unit
  val put_back : t -> t -> int -> int -> unit
  val swap : t -> int -> int -> unit
end
