(** For sources that name a module of [Weft_support] in full. *)

module First_field = First_field
module Identity = Identity
