(** The program's output while the view uses the screen: a file, from which nothing is lost. *)

type t

val create : dir:string -> t
(** Raises [Unix.Unix_error] if the file cannot be made. *)

val writer : t -> Unix.file_descr
(** The file for the program, which appends to it. *)

val path : t -> string

val last_lines : t -> string list
(** The last lines, up to 100. *)

val pass_on : t -> Unix.file_descr -> unit
(** Passes on all output that has not been passed on yet. *)
