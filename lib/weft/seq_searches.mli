(** The searches in sequences ({!Parallel_seq}, which documents them). *)

val find_map : ('a -> 'b option) -> 'a Source.t -> 'b option
val find : ('a -> bool) -> 'a Source.t -> 'a option
val find_mapi : (int -> 'a -> 'b option) -> 'a Source.t -> 'b option
val find_index : ('a -> bool) -> 'a Source.t -> int option
val exists : ('a -> bool) -> 'a Source.t -> bool
val for_all : ('a -> bool) -> 'a Source.t -> bool
val is_empty : 'a Source.t -> bool
val exists2 : ('a -> 'b -> bool) -> 'a Source.t -> 'b Source.t -> bool
val for_all2 : ('a -> 'b -> bool) -> 'a Source.t -> 'b Source.t -> bool
