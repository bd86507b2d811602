(** What [weft migrate] says. *)

val text : written:bool -> Migration.t -> string
(** For people: a summary, the diff of every file, the notes by file and line. *)

val json : written:bool -> Migration.t -> string
(** For programs: one object, in valid UTF-8 whatever is in the files. *)

val trouble : Migration.t -> string list
(** A line for each file that could not be read, understood or written. *)
