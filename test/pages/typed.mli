(** A page whose commands are typed by a reader who has installed Weft and is not in its repository. *)

val run : (string * string) list -> string list -> string
(** [run files commands] writes the files into a new folder outside the repository, types the commands there,
    one after the other, and is their standard output. If a command fails, it fails the test with all output.
    The folder is removed at the end. *)
