(** A run: neighbouring keys of a sorted batch on a skip list, and what is known of them. *)

module Make (Key : Weft_containers.Maps.ORDERED) : sig
  module Sequential : Weft_containers.Skip_list.S with type key = Key.t

  module Op : module type of struct
    include Map_op.Make (Key)
  end

  type 'v packed = Op : ('v, 'a) Op.t * 'a Cell.t -> 'v packed

  type 'v batch = {
    list : 'v Sequential.t;
    ops : 'v packed array;
    keys : Key.t array;  (** By operation; anything for those that are not about one key. *)
    order : int array;  (** The operations on one key: by key, those on the same key by arrival. *)
    heights : int;
        (** A state of the list's generator: number [p] is for the key at place [p] of the order. *)
  }

  type 'v t

  val search : 'v batch -> from:int -> until:int -> 'v t
  (** The run of the groups (operations on the same key) that begin at [from] or later in the order, and
      before [until]. All comparisons happen here; changes nothing. *)

  val change : 'v batch -> 'v t -> unit
  (** Decides and links; sets all results. Other runs may be changed at the same time. *)

  val seams : 'v t -> (Key.t, 'v) Skip_seams.t
  (** To be joined when all runs have been changed. *)

  val gain : 'v t -> int
  (** How many keys more are bound. *)
end
