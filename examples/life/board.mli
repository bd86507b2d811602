(** The board of Conway's game of life: a torus, whose left edge touches the right one, and whose upper edge
    touches the lower one. *)

type t = private { width : int; height : int; cells : bool array  (** row after row; [true] is alive *) }

val make : width:int -> height:int -> (x:int -> y:int -> bool) -> t
(** [make ~width ~height alive] asks [alive] about each cell, in parallel. [x] grows to the right, [y]
    downwards, both from 0. *)

val step : t -> t
(** The next generation: a live cell with two or three live neighbours stays alive, a dead one with three
    becomes alive, all others are dead. *)

val is_alive : t -> x:int -> y:int -> bool
val population : t -> int

val row : t -> int -> string
(** [row t y] is row [y] as text: [#] is alive, [.] dead. *)
