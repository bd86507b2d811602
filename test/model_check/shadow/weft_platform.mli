(** For sources that name a module of [Weft_platform] in full. *)

module First_field = First_field
module Owner_id = Owner_id
module Refused_effects = Refused_effects
module Stack_room = Stack_room
