(** Files that are written whole or not at all. *)

type t
(** A place for a JSON value: a file, or standard output. *)

val prepare : string -> (t, string) result
(** [prepare path] finds out, before any work is done, whether [path] can be written ([-] is standard output).
    Nothing is changed. [Error] is one line for the user: a folder, a folder that is missing or closed to us.
*)

val is_stdout : t -> bool
(** [is_stdout place] tells whether [place] is standard output. *)

val write : t -> Yojson.Safe.t -> (unit, string) result
(** [write place json] writes [json] to a temporary file beside the place, and renames it when it is complete;
    what was there before is replaced. A device or pipe is written directly. [Error] is one line for the user;
    then the place is as it was. *)
