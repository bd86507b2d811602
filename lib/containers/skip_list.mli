(** Maps as skip lists: sorted linked lists with express lanes above them.

    Pugh: Skip lists: a probabilistic alternative to balanced trees, CACM 33(6), 1990; with probability 1/4,
    and one block per key and level ({!Skip_block}). n is the number of keys. All bounds are expected ones,
    for any order of operations and keys: the heights come from the list's own generator ({!Skip_heights}),
    and never from the keys. (A user who knows the seed and removes the keys on high levels can make the list
    slow.)

    {b Cost.} [length], [min_binding_opt], {!S.head} and {!S.draw} take O(1), [iter] and [fold] O(n); [to_seq]
    O(1), and O(1) per element; each function is O(log n) otherwise, [pred] too.

    If the keys' [compare] raises, so does the function, and nothing has changed. [update] calls its function
    after a first search; it makes a second search only if the key comes or goes. *)

module type S = sig
  include Maps.ORDERED_MAP

  val create : ?seed:int -> unit -> 'v t
  (** An empty map. Two maps with the same [seed] (default: 0) and the same operations have the same shape.
      O(1). *)

  val clear : 'v t -> unit
  (** Unbinds all keys. O(1). *)

  (** {1 Many at once}

      For callers that change the blocks themselves, as batches do. *)

  val head : 'v t -> int -> (key, 'v) Skip_block.t
  (** [head t level] is where the level begins, for a [level] from 0 to [Skip_heights.levels - 1]. *)

  val draw : 'v t -> int -> int
  (** [draw t n] takes [n] numbers from the generator, and is the generator's state before that: see
      {!Weft_containers.Skip_heights.height}. *)

  val settle : 'v t -> added:int -> unit
  (** Must be called when blocks have been changed: [added] more keys are bound (fewer, if it is negative).
      O(1). *)

  (** {1 Tests} *)

  val check : 'v t -> unit
  (** Checks the whole list: levels are in order, each is a part of the one below, length and height are
      right. O(n log n).
      @raise Failure with what is wrong. *)
end

module Make (Key : Maps.ORDERED) : S with type key = Key.t
