(** The first field of a record, used as an atomic: the record holds a cell there, made by {!cell}. *)

val cell : 'field -> 'field
(** What the adapted sources put into the first field of a new record. To be read by this module only. *)

val get : 'record -> 'field
val set : 'record -> 'field -> unit
val compare_and_set : 'record -> 'field -> 'field -> bool
val exchange : 'record -> 'field -> 'field
