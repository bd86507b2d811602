(** What [weft live] says when it ends: the samples added up. *)

type t

val empty : t
val add : t -> Sample.t -> t

val lines : t -> waits:Waits.place list -> string list
(** Without line ends; none, if there was no sample. [waits]: all that there were, the longest first, of which
    a few are told. *)
