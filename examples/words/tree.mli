(** The files of a directory tree. *)

type file = { path : string; size : int  (** bytes, when it was listed *) }
type t = { files : file array; skipped : Skipped.t list  (** what could not be listed *) }

val below : ?only:(string -> bool) -> string -> t
(** [below dir] is every regular file in [dir] and in the directories below it, in the order of their names.
    [only] says by its name (without directories) whether a file counts at all; default: all do.

    Symbolic links to files count as the files; those to directories are not followed (so there are no
    cycles). Pipes, sockets, devices, links to nothing and directories that cannot be opened are [skipped]. *)

val read : file -> (string, Skipped.reason) result
(** [read file] is the text of [file], or why it has none. A binary file is given up after its first block. *)

val bytes : file array -> int
(** [bytes files] is how many bytes [files] had together when they were listed. *)
