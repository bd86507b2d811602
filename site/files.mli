(** Files and folders. All raise [Sys_error] or [Unix.Unix_error]. *)

val read : string -> string

val write : string -> string -> unit
(** [write path content], with the folders above it. *)

val copy : string -> string -> unit
(** [copy from to_]: a file, or a folder with all that is in it. *)

val remove : string -> unit
(** A file, or a folder with all that is in it; nothing if there is none. *)

val below : string -> string list
(** All files in a folder and those below it, as paths that begin with it, in order. *)

val normal : string -> string
(** [normal "a/./b/../c"] is ["a/c"]; what leads above the start keeps its [..]. *)

val relative : from:string -> string -> string
(** [relative ~from:"a/b.html" "c/d.html"] is ["../c/d.html"]: how the one file names the other. *)

val output_of : string list -> (string, string) result
(** What a command (its name, then its arguments) writes on its standard output; or, if it cannot be run or
    fails, why. *)
