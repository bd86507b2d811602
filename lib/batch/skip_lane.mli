(** A lane: it searches a skip list for neighbouring keys of a sorted batch, one after another, in steps.

    Operations on the same key are a {e group}. A lane has the groups that begin in its part of the order. *)

module Skip_block = Weft_containers.Skip_block

module Make (Key : Weft_containers.Maps.ORDERED) : sig
  module Sequential : Weft_containers.Skip_list.S with type key = Key.t

  module Op : module type of struct
    include Map_op.Make (Key)
  end

  include module type of struct
    include Map_batch.Make (Key)
  end

  type 'v batch = {
    list : 'v Sequential.t;
    ops : 'v packed array;
    keys : Key.t array;  (** The key of each operation; any key for operations that are not on one key. *)
    order : int array;  (** The operations on one key, sorted by key, and by arrival if on the same key. *)
    heights : int;
        (** A state of the list's generator: its number [p] gives the height of the key at place [p] of the
            order. *)
  }

  val key : 'v batch -> int -> Key.t
  (** The key at a place of the order. *)

  type 'v t

  val make : 'v batch -> from:int -> until:int -> 'v t
  (** A lane for the groups that begin at a place of the order from [from] on, and before [until]. *)

  val is_done : 'v t -> bool

  val touch : 'v t -> unit
  (** Loads what the next step will look at ({!Weft_containers.Skip_finger}). *)

  val step : 'v batch -> 'v t -> unit
  (** One step of a search. The lane must not be done. *)

  (** {1 Groups}

      Numbered from 0, of a lane that is done. *)

  val groups : 'v t -> int
  (** How many there are. *)

  val group_from : 'v t -> int -> int
  (** The first place of the order. *)

  val group_until : 'v t -> int -> int
  (** The place after the last. *)

  val leaf : 'v t -> int -> (Key.t, 'v) Skip_block.t
  (** The leaf that binds the key; or [End]. *)

  val height : 'v t -> int -> int
  (** If the key is bound and may be removed, its height. If it is not bound and may be added, the height that
      it will get. Else 0. *)

  val before : 'v t -> int -> int -> (Key.t, 'v) Skip_block.t
  (** [before t group level] is the block in front of the key, on a level below [height t group]. *)

  val after : 'v t -> int -> int -> (Key.t, 'v) Skip_block.t
  (** The block that follows it: the key's own, if it is bound. *)
end
