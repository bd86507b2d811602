(** A run: what one task does of a batch on a skip list. *)

module Make (Key : Weft_containers.Maps.ORDERED) : sig
  module Lane : module type of struct
    include Skip_lane.Make (Key)
  end

  type 'v t

  val search : 'v Lane.batch -> from:int -> until:int -> 'v t
  (** The run of the groups that begin at [from] or later in the order, and before [until]. All comparisons
      happen here; changes nothing.

      The run is divided into lanes, which search in turn, so that the waiting for memory of one is that of
      all. *)

  val change : 'v Lane.batch -> 'v t -> unit
  (** Decides and links; sets all results. Other runs may be changed at the same time. *)

  val seams : 'v t -> (Key.t, 'v) Skip_seams.t
  (** To be joined when all runs have been changed. *)

  val gain : 'v t -> int
  (** How many keys more are bound. *)
end
