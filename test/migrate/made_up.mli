(** Projects that are made up for a test. *)

val in_project : (string * string) list -> (string -> unit) -> unit
(** [in_project files f] calls [f] with a folder that has [files] (path and contents) and a [dune-project],
    unless they have one, and removes it. *)

val find : string -> Weft_migrate.Migration.t
(** Fails if it cannot be looked at. *)

val after : (string * string) list -> string -> string
(** [after files path] is what [path] would be changed to in a project of [files]; as it is, if not at all. *)

val check_after : string -> name:string -> string -> string -> unit
(** [check_after what ~name before expected]: a project's file [name] with the contents [before]. *)

val read : string -> string
val write : string -> string -> unit

val weft_migrate : string list -> Testing.Child.ended
(** Runs the command, for half a minute at most. *)

val lines : string -> string list
val contains : string -> part:string -> bool
