(** {!Domainslib.Task} without [setup_pool], whose label differs between versions. *)

type pool = Weft_domainslib_pool.t

val teardown_pool : pool -> unit
val lookup_pool : string -> pool option
val get_num_domains : pool -> int
val run : pool -> (unit -> 'a) -> 'a
val async : pool -> (unit -> 'a) -> 'a Weft.promise
val await : pool -> 'a Weft.promise -> 'a
val parallel_for : ?chunk_size:int -> start:int -> finish:int -> body:(int -> unit) -> pool -> unit

val parallel_for_reduce :
  ?chunk_size:int -> start:int -> finish:int -> body:(int -> 'a) -> pool -> ('a -> 'a -> 'a) -> 'a -> 'a

val parallel_scan : pool -> ('a -> 'a -> 'a) -> 'a array -> 'a array
val parallel_find : ?chunk_size:int -> start:int -> finish:int -> body:(int -> 'a option) -> pool -> 'a option
