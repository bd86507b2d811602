(** A page typed in, by somebody who has Weft installed and is not in its repository. *)

val run : (string * string) list -> string list -> string
(** [run files commands] writes the files into a new folder outside the repository, types the commands there,
    one after the other, and is their standard output. It fails the test if a command fails, with all that was
    said. The folder is removed at the end. *)
