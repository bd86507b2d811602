(** Breadth-first search. *)

val unreached : int
(** The level of nodes that cannot be reached: -1. *)

val from : Graph.t -> int -> int array
(** [from graph start] has for each node the number of edges between it and [start], or {!unreached}.
    @raise Invalid_argument if there is no node [start]. *)
