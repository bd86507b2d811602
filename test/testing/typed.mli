(** Commands that are typed by somebody who has installed Weft, with the program [weft] if the test depends on
    the package weft-tools, and who is not in its repository. *)

val run : (string * string) list -> string list -> string
(** [run files commands] writes the files into a new folder outside the repository, types the commands there,
    one after the other, and is their standard output. If a command fails, it fails the test with all output.
    The folder is removed at the end. *)
