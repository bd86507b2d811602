(** The file into which this process writes its rings. *)

val folder_now : unit -> string
(** The folder in which the runtime would make it now. *)

val made : unit -> unit
(** To be called soon after the runtime has made it: from then on its folder is known. *)

val dump : string -> unit
(** [dump path] writes a copy of it ({!Ring_file.copy}) to [path], with a {!Wire.Dumped}. Raises [Sys_error]
    if it is not there, if [path] is that file, or cannot be written. *)
