(** Comparisons of sequences ({!Parallel_seq}, which documents them). *)

val equal : ('a -> 'b -> bool) -> 'a Source.t -> 'b Source.t -> bool
val compare : ('a -> 'b -> int) -> 'a Source.t -> 'b Source.t -> int
