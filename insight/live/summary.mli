(** What [weft live] says when it ends: the samples added up. *)

type t

val empty : t
val add : t -> Sample.t -> t

val most_places : int
(** So many waits are told. *)

val lines : t -> left:bool -> waits:Waits.place list -> string list
(** Without line ends; none, if there was no sample. [left]: the user has left the view, and the program went
    on without it. [waits]: all that there were, the longest first. *)
