(** Maps as skip lists: sorted linked lists with express lanes above them.

    Pugh: Skip lists: a probabilistic alternative to balanced trees, CACM 33(6), 1990; with probability 1/4,
    and one block per key and level ({!Skip_block}). n is the number of keys. All bounds are expected ones,
    for any order of operations and keys: the heights come from a generator of the list's own
    ({!Skip_heights}), and never from the keys. (Who knows the seed and removes what is high can make it
    slow.)

    {b Cost.} [length], [min_binding_opt], {!S.head} and {!S.draw} take O(1), [iter] and [fold] O(n); [to_seq]
    O(1), and O(1) per element; each function is O(log n) otherwise, [pred] too.

    If the keys' [compare] raises, so does the function, and nothing has changed. [update] calls its function
    between two searches, the second only if the key comes or goes. *)

module type S = sig
  include Maps.ORDERED_MAP

  val create : ?seed:int -> unit -> 'v t
  (** An empty map. Two with the same [seed] (default: 0) and operations have the same shape. O(1). *)

  val clear : 'v t -> unit
  (** Unbinds all. O(1). *)

  (** {1 Many at once}

      For those who change the blocks themselves, as batches do. *)

  val head : 'v t -> int -> (key, 'v) Skip_block.t
  (** [head t level] is where the level begins; [level] from 0 to [Skip_heights.levels - 1]. *)

  val draw : 'v t -> int -> int
  (** [draw t n] takes [n] numbers from the generator, and is its state before: see
      {!Weft_containers.Skip_heights.height}. *)

  val settle : 'v t -> added:int -> unit
  (** To be called when blocks have been changed: [added] keys more (less, if negative) are bound. O(1). *)

  (** {1 Tests} *)

  val check : 'v t -> unit
  (** O(n log n). Looks at the whole list: levels in order, each a part of the one below, length and height
      right.
      @raise Failure with what is wrong. *)
end

module Make (Key : Maps.ORDERED) : S with type key = Key.t
