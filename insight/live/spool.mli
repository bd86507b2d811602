(** What the program writes while the screen is ours: a file, from which nothing is lost. *)

type t

val create : dir:string -> t
(** Raises [Unix.Unix_error]. *)

val writer : t -> Unix.file_descr
(** For the program: it appends. *)

val path : t -> string

val last_lines : t -> string list
(** Up to the last 100. *)

val pass_on : t -> Unix.file_descr -> unit
(** All that has been written and not passed on yet. *)
