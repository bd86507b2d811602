(** Files that a program leaves for the tools: a reader sees the old file or the whole new one. *)

val is_file : string -> bool
(** Whether the path is a file or nothing yet: {!write} then replaces it. *)

val write : ?mode:int -> string -> (out_channel -> unit) -> unit
(** [write path f] gives [f] a new file beside [path], and renames it to [path]. A device, a pipe, or the
    target of a link (such as [/dev/stderr]) is written into. What [f] raises, {!write} raises, and [path] is
    as before. [mode] is that of a new file, before the umask.
    @raise Sys_error if it cannot be written; the message begins with [path]. *)
