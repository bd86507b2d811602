(** Loops whose iterations are spread over ranks: see {!Weft_mpi}. On one rank they are Weft's own. *)

val parallel_for : World.t -> start:int -> finish:int -> body:(int -> unit) -> unit -> unit

val parallel_for_reduce :
  ?chunk_size:int -> World.t -> start:int -> finish:int -> body:(int -> 'a) -> ('a -> 'a -> 'a) -> 'a -> 'a

val parallel_find_first : World.t -> start:int -> finish:int -> body:(int -> 'a option) -> unit -> 'a option

val of_pieces : World.t -> int -> (int -> int -> 'a) -> 'a list
(** [of_pieces w n f] is what [f first last] is for each piece of the range from 0 to [n - 1], from left to
    right; [n > 0]. Not {!World.exclusive} by itself. *)

val init : who:string -> World.t -> int -> (int -> 'a) -> 'a array

val init_inside : World.t -> int -> (int -> 'a) -> 'a array
(** {!init}, in {!World.exclusive}. *)
