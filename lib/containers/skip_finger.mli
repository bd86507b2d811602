(** A place in a {!Skip_list}, on all levels at once, that moves to the right.

    To seek the keys of a sorted batch one after another costs O(log d) each, expected, where d is how many
    keys of the list are passed, instead of O(log n). Reads the list only. *)

module Make (Key : Maps.ORDERED) : sig
  type 'v t

  val make : (int -> (Key.t, 'v) Skip_block.t) -> 'v t
  (** [make head] is before the first key of the list whose levels begin at [head level]. *)

  val seek : 'v t -> Key.t -> (Key.t, 'v) Skip_block.t
  (** [seek t key] moves to just before [key], and is its leaf, or [End]. [key] must not be smaller than the
      one before. If [compare] raises, the finger is of no more use. *)

  val before : 'v t -> int -> (Key.t, 'v) Skip_block.t
  (** The block, or head, on this level to the left of the finger. *)

  val after : 'v t -> int -> (Key.t, 'v) Skip_block.t
  (** The block to the right of it. *)

  val height : 'v t -> (Key.t, 'v) Skip_block.t -> int
  (** On how many levels the key is that was found: [seek]'s last result, not [End]. *)
end
