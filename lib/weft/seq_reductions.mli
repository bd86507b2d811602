(** The consumers of sequences ({!Parallel_seq}, which documents them) that combine elements by a tree. *)

val who : string -> string
(** The public name of a function, for messages. *)

val consume : 'a Source.t -> ('a Source.pass -> 'r) -> 'r
(** Makes the pass, in a pool. *)

val fold : ('acc -> 'a -> 'acc) -> combine:('acc -> 'acc -> 'acc) -> 'acc -> 'a Source.t -> 'acc

val try_fold :
  ('acc -> 'a -> ('acc, 'e) result) ->
  combine:('acc -> 'acc -> 'acc) ->
  'acc ->
  'a Source.t ->
  ('acc, 'e) result

val reduce : ('a -> 'a -> 'a) -> 'a -> 'a Source.t -> 'a
val min : ('a -> 'a -> int) -> 'a Source.t -> 'a option
val max : ('a -> 'a -> int) -> 'a Source.t -> 'a option
val min_by : ('a -> 'k) -> ('k -> 'k -> int) -> 'a Source.t -> 'a option
val max_by : ('a -> 'k) -> ('k -> 'k -> int) -> 'a Source.t -> 'a option
val sum : int Source.t -> int
val product : int Source.t -> int
val count : ('a -> bool) -> 'a Source.t -> int
val length : 'a Source.t -> int
val float_sum : float Source.t -> float
