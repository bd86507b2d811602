(** Breadth-first search. *)

val unreached : int
(** The level of nodes to which there is no way: -1. *)

val from : Graph.t -> int -> int array
(** [from graph start] has for each node how many edges it is away from [start], or {!unreached}.
    @raise Invalid_argument if there is no node [start]. *)
