(** Parts of sequences ({!Parallel_seq}, which documents them), and what needs elements by their numbers. *)

val by_number : ?at_most:int -> who:string -> 'a Source.pass -> ('a Source.pass -> 'r) -> 'r
(** [by_number ~who p k] is [k p'], where [p'] has the elements of [p] and a [get]: [p] itself, or one of an
    array in which the elements were collected. Only the first [at_most] elements are wanted. *)

val map2 : who:string -> ('a -> 'b -> 'c) -> 'a Source.t -> 'b Source.t -> 'c Source.t
val take : who:string -> int -> 'a Source.t -> 'a Source.t
val drop : who:string -> int -> 'a Source.t -> 'a Source.t
val rev : who:string -> 'a Source.t -> 'a Source.t
val step_by : who:string -> int -> 'a Source.t -> 'a Source.t
val chunks : who:string -> int -> 'a Source.t -> 'a array Source.t
val windows : who:string -> int -> 'a Source.t -> 'a array Source.t
