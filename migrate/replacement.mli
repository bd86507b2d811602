(** Replacing a file whole or not at all. *)

val write : string -> before:string -> string -> (unit, string) result
(** [write path ~before text] makes [text] the contents of [path], which must still be [before]: a temporary
    file beside it, with its permissions and, where that is allowed, its owner, is renamed when it is
    complete. [Error] is the reason in one line, also where the file is not ours to write; then nothing has
    changed. *)
