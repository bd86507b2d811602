(** Files that are written whole or not at all. *)

val write : option:string -> string -> (out_channel -> unit) -> (unit, string) result
(** [write ~option path f] has [f] write a temporary file beside [path], and renames it when it is complete. A
    symbolic link stays, its target is replaced; a device or pipe is written directly; ["-"] is standard
    output. [Error] is one line that names the option; then what was at [path] is as it was. *)

val check : option:string -> string -> (unit, string) result
(** Whether [write] has a chance, without changing anything: for the folder that is missing to be told at
    once. *)
