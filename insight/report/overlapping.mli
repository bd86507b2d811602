(** An index of spans, for finding those that overlap an interval. *)

type t

val of_list : Trace.span list -> t

val fold : t -> from:int -> until:int -> ('a -> Trace.span -> 'a) -> 'a -> 'a
(** [fold spans ~from ~until f init] folds the spans that begin at [until] or before and end at [from] or
    later, in the order of their beginnings. O((k + 1) log n) steps for k such spans of n. *)
