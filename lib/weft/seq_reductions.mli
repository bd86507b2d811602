(** The consumers of sequences ({!Parallel_seq}, which documents them) that combine elements by a tree. *)

val who : string -> string
(** The public name of a function, for messages. *)

val enter : 'a Source.t -> (unit -> 'r) -> 'r
(** Runs the function in a pool; at once, if the sequence is known to be empty. *)

val consume : 'a Source.t -> ('a Source.pass -> 'r) -> 'r
(** Makes the pass, by {!enter}. *)

val fold : combine:('acc -> 'acc -> 'acc) -> ('acc -> 'a -> 'acc) -> 'acc -> 'a Source.t -> 'acc

val try_fold :
  combine:('acc -> 'acc -> 'acc) ->
  ('acc -> 'a -> ('acc, 'e) result) ->
  'acc ->
  'a Source.t ->
  ('acc, 'e) result

val reduce : ('a -> 'a -> 'a) -> 'a -> 'a Source.t -> 'a
val min_opt : ('a -> 'a -> int) -> 'a Source.t -> 'a option
val max_opt : ('a -> 'a -> int) -> 'a Source.t -> 'a option
val min_by : key:('a -> 'k) -> ('k -> 'k -> int) -> 'a Source.t -> 'a option
val max_by : key:('a -> 'k) -> ('k -> 'k -> int) -> 'a Source.t -> 'a option
val sum : int Source.t -> int
val count : ('a -> bool) -> 'a Source.t -> int
val length : 'a Source.t -> int
val float_sum : float Source.t -> float
