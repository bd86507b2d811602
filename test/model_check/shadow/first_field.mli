(** The first field of a record, used as an atomic: the record holds a cell there, made by {!cell}. *)

val cell : 'field -> 'field
(** What the adapted sources put into the first field of a new record. To be read by this module only. *)

val constant : 'field -> 'field
(** The same for records that outlive the runs: nobody may write it. *)

val status : 'field -> 'field
(** {!cell}, or {!constant} in runs that are {!Undisturbed}: for what may be stopped. *)

val of_fiber : 'field -> 'field
(** {!cell}, or without steps in runs that are {!Undisturbed}: for what belongs to a fiber. *)

val get : 'record -> 'field
val set : 'record -> 'field -> unit
val compare_and_set : 'record -> 'field -> 'field -> bool
val exchange : 'record -> 'field -> 'field

(** {1 Any field} *)

val contents : 'field -> 'field
(** What is in the {!cell} that a field holds. *)

val set_contents : 'field -> 'field -> unit
