(** A file that is there whole or not at all, written bit by bit. *)

type t

val create : string -> (t, string) result
(** A temporary file beside [path], or [path] itself if that is a device or a pipe. [Error] is a line for the
    user: it names the path and says why. *)

val write : t -> Buffer.t -> unit
(** Appends what is in the buffer, and empties it. Raises [Sys_error] if it cannot. *)

val commit : t -> (unit, string) result
(** The file is complete: in the place of [path], whatever was there. If that fails, as {!abandon}. *)

val abandon : t -> unit
(** The temporary file is removed; [path] is as it was. *)

val path : t -> string
