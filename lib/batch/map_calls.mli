(** Batched ordered maps, whose operations are those of {!Map_op}. *)

module Make
    (Key : Weft_containers.Maps.ORDERED)
    (Map : Weft_containers.Maps.ORDERED_MAP with type key = Key.t)
    (Structure :
      Structures.GENERIC with type 'v t = 'v Map.t and type ('v, 'a) op = ('v, 'a) Map_op.Make(Key).t) : sig
  include module type of Batched.Make_generic (Structure)
  include Weft_containers.Maps.ORDERED_MAP with type key = Key.t and type 'v t := 'v t

  val add_all : 'v t -> (key * 'v) array -> unit
  (** Not necessarily one batch, but with no other operation in between: [exec_all ~whole:false]. *)
end
