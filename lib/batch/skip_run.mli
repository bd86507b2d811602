(** A run: the part of a batch on a skip list that one task does. *)

module Make (Key : Weft_containers.Maps.ORDERED) : sig
  module Lane : module type of struct
    include Skip_lane.Make (Key)
  end

  type 'v t

  val search : 'v Lane.batch -> from:int -> until:int -> 'v t
  (** The run of the groups that begin at [from] or later in the order, and before [until]. It makes all
      comparisons and changes nothing.

      The run is divided into lanes, which search in turn, one step each, so that they wait for memory at the
      same time: group prefetching, as in [warm] of [Weft_containers.Persistent]. *)

  val change : 'v Lane.batch -> 'v t -> unit
  (** Decides, links, and sets all results. Other runs may do so at the same time. *)

  val seams : 'v t -> (Key.t, 'v) Skip_seams.t
  (** To be joined when all runs have been changed. *)

  val gain : 'v t -> int
  (** By how many the number of bound keys has grown. *)
end
