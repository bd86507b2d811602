(** What odoc has found wrong with doc comments. Asked of its files, since dune prints warnings only when it
    runs odoc anew. *)

val all : known:(string -> bool) -> string -> (string list, string) result
(** [all ~known folder] is what [odoc errors] says of the linked files ([.odocl]) below [folder], without
    references to OCaml's own exceptions and libraries, of which dune builds no pages, and to [known] names:
    comments of a lower library may speak of an upper one, which odoc cannot know. [Error]: why odoc could not
    be run. *)

val of_output : known:(string -> bool) -> string -> string list
(** The errors in what [odoc errors] prints. *)
