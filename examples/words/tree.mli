(** The files of a directory tree. *)

type file = { path : string; size : int  (** in bytes, when the file was listed *) }
type t = { files : file array; skipped : Skipped.t list  (** files that could not be listed *) }

val below : ?only:(string -> bool) -> string -> t
(** [below dir] is every regular file in [dir] and in the directories below it, in the order of their names.
    [only] decides by a file's name (without directories) whether it is included; by default all are.

    Symbolic links to files count as the files; those to directories are not followed (so there are no
    cycles). Pipes, sockets, devices, links to nothing and directories that cannot be opened are [skipped]. *)

val read : file -> (string, Skipped.reason) result
(** [read file] is the text of [file], or the reason why it cannot be counted. A binary file is read only up
    to the end of its first block. *)

val bytes : file array -> int
(** [bytes files] is the total size of [files] when they were listed. *)
