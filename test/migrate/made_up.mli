(** Projects that are made up for a test. *)

val in_project : (string * string) list -> (string -> unit) -> unit
(** [in_project files f] calls [f] with a folder that has [files] (path and contents) and a [dune-project],
    unless they have one, and removes it. *)

val find : string -> Weft_migrate.Migration.t
(** Fails if the project cannot be analysed. *)

val after : (string * string) list -> string -> string
(** [after files path] is the new content of [path] in a project of [files], or the old one if it does not
    change. *)

val check_after : string -> name:string -> string -> string -> unit
(** [check_after what ~name before expected]: a project's file [name] with the contents [before] becomes
    [expected]. *)

val read : string -> string
val write : string -> string -> unit

val weft_migrate : string list -> Testing.Child.ended
(** Runs the command, for half a minute at most. *)

val lines : string -> string list
val contains : string -> part:string -> bool
