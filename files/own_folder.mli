(** Folders of temporary files, as [Filename.temp_dir] makes them: with a name that nobody guesses, and closed
    to others. *)

val remove : string -> unit
(** [remove folder] removes it with the files in it, as far as that can be done. *)

val within : string -> (string -> ('a, string) result) -> ('a, string) result
(** [within prefix f] is [f folder], of a new folder whose name begins with [prefix], in the system's folder
    for temporary files. It is removed with the files in it when [f] ends, and before SIGINT, SIGTERM or
    SIGHUP do what they did before; so are then the temporary files of {!Whole_file}. [Error] also if it
    cannot be made. For the main thread only. *)
