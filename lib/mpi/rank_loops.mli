(** Loops whose iterations are spread over ranks: see {!Weft_mpi}. On one rank they are Weft's own. *)

val parallel_for : World.t -> start:int -> finish:int -> body:(int -> unit) -> unit -> unit

val parallel_for_reduce :
  ?chunk_size:int -> World.t -> start:int -> finish:int -> body:(int -> 'a) -> ('a -> 'a -> 'a) -> 'a -> 'a

val parallel_find_first : World.t -> start:int -> finish:int -> body:(int -> 'a option) -> unit -> 'a option
val init : who:string -> World.t -> int -> (int -> 'a) -> 'a array
