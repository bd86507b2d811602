(** Spans, to be asked again and again which of them lie around some time. *)

type t

val of_list : Trace.span list -> t

val fold : t -> from:int -> until:int -> ('a -> Trace.span -> 'a) -> 'a -> 'a
(** Goes through those that begin at [until] or before and end at [from] or later, by their beginnings. For
    each of these, and once more, at most as many steps as the logarithm of the number of all. *)
