(** Folders that last for one test. *)

val remove : string -> unit
(** Removes a file or a link, or a folder with all that is in it, whatever its permissions; links are not
    followed. *)

val in_memory : string
(** A folder for temporary files whose files are in memory, if the machine has one. *)

val within : ?temp_dir:string -> string -> (string -> 'a) -> 'a
(** [within prefix f] is [f folder], with the path of a new, empty folder whose name begins with [prefix]. It
    is removed afterwards, whatever happens. *)
