(** Folders of temporary files, as [Filename.temp_dir] makes them: with a name that nobody guesses, and closed
    to others. *)

val remove : string -> unit
(** [remove folder] removes it with the files in it, as far as that can be done. *)
