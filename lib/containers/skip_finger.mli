(** A place in a {!Skip_list}, on all levels at once, that moves to the right.

    Seeking the keys of a sorted batch one after another costs O(log d) each, expected, where d is how many
    keys of the list are passed, instead of O(log n). A finger only reads the list. If a comparison of keys
    raises, the finger must not be used any more.

    A search goes in steps, each of which waits for one block to come from memory. A caller that touches the
    blocks of several fingers, and then lets each of them step, waits for all these blocks at the same time.

    {b Cost.} O(1), but for {!Make.make}, which is O(levels); a search takes as many steps as said. *)

module Make (Key : Maps.ORDERED) : sig
  type 'v t

  val make : (int -> (Key.t, 'v) Skip_block.t) -> 'v t
  (** [make head] is a finger before the first key of the list whose levels begin at [head level]. *)

  (** {1 Searching} *)

  val start : 'v t -> Key.t -> unit
  (** [start t key] begins the search for [key], which must not be smaller than that of the last search. *)

  val arrived : 'v t -> bool
  (** Whether the search has ended. *)

  val touch : 'v t -> unit
  (** Loads the block that {!step} will look at, and uses nothing of it, so that the processor goes on. *)

  val step : 'v t -> Key.t -> unit
  (** One step to the right or down, for the key that was given to {!start}. The finger must not have
      {!arrived}. *)

  (** {1 Where it is}

      When it has arrived, a finger is just before the key. *)

  val found : 'v t -> Key.t -> (Key.t, 'v) Skip_block.t
  (** The leaf of the key that was sought, or [End]. *)

  val before : 'v t -> int -> (Key.t, 'v) Skip_block.t
  (** The block, or head, on this level to the left of the finger. *)

  val after : 'v t -> int -> (Key.t, 'v) Skip_block.t
  (** The block to the right of it. *)

  val height : 'v t -> (Key.t, 'v) Skip_block.t -> int
  (** On how many levels the key is that was found; the block is its leaf. *)
end
