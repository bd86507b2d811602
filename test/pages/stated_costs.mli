(** Whether an interface that users read states what each function costs. *)

val unstated : string -> string list
(** [unstated text] is the names of the values of this [.mli] whose cost is not stated: neither has the text
    at the head of the file a paragraph that begins with [{b Cost}], nor has the value's own text a word for
    it. What comes after [(**/**)] does not count. *)
