(** The first field of a record, used as an atomic: the record holds a cell there, made by {!cell}. *)

val cell : 'field -> 'field
(** The value that the adapted sources put into the first field of a new record. Only this module may read it.
*)

val constant : 'field -> 'field
(** The same for records that outlive the runs: nobody may write it. *)

val status : 'field -> 'field
(** {!cell}, or {!constant} in runs that are {!Undisturbed}: for fields that tell whether a fiber is stopped.
*)

val of_fiber : 'field -> 'field
(** {!cell}, or one without steps in runs that are {!Undisturbed}: for fields that belong to a fiber. *)

val get : 'record -> 'field
val set : 'record -> 'field -> unit
val compare_and_set : 'record -> 'field -> 'field -> bool
val exchange : 'record -> 'field -> 'field

(** {1 Any field} *)

val contents : 'field -> 'field
(** The value in the {!cell} that a field holds. *)

val set_contents : 'field -> 'field -> unit
