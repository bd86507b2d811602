(** Loops for rivals that only have fork and join: they halve the range until the parts are small. *)

type par = { par : 'a 'b. (unit -> 'a) -> (unit -> 'b) -> 'a * 'b }

val default_chunk : domains:int -> start:int -> finish:int -> int
(** [default_chunk ~domains ~start ~finish] is an eighth of each domain's share, at least 1, as in domainslib.
*)

val for_ : par -> chunk_size:int -> start:int -> finish:int -> body:(int -> unit) -> unit
(** [for_ par ~chunk_size ~start ~finish ~body] runs parts of up to [chunk_size] iterations in a row. *)

val reduce :
  par -> chunk_size:int -> start:int -> finish:int -> body:(int -> 'a) -> ('a -> 'a -> 'a) -> 'a -> 'a
(** [reduce par ~chunk_size ~start ~finish ~body combine init] combines each part from the left, beginning
    with [init], and then combines the parts. *)
