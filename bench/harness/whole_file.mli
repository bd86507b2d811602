(** Files that are written whole or not at all. *)

type t
(** A place for a text: a file, or standard output. *)

val prepare : option:string -> string -> (t, string) result
(** [prepare ~option path] finds out, before any work is done, whether [path] can be written ([-] is standard
    output). Nothing is changed. [Error] is one line for the user that names [option], such as [--json]: a
    folder, a folder that is missing or closed to us. *)

val is_stdout : t -> bool
(** [is_stdout place] tells whether [place] is standard output. *)

val same : t -> t -> bool
(** [same a b] tells whether both are standard output, or the same file. A device is not: it takes everything.
*)

val option : t -> string
(** [option place] is the option that asked for it. *)

val write : t -> string -> (unit, string) result
(** [write place text] writes [text] to a temporary file beside the place, and renames it when it is complete;
    what was there before is replaced. A device or pipe is written directly. [Error] is one line for the user;
    then the place is as it was. *)
