(** Lines from and to a socket. Both ways suspend the calling fiber. *)

type line = Line of string | Too_long
type t

val limit : int
(** How many bytes a line may have, without its end. *)

val of_socket : Unix.file_descr -> t

val read : t -> line list option
(** The lines that end in what has come next, without their ends: waits until something comes. [None]: the
    other side has ended. A line begun and not ended is dropped then.

    @raise Unix.Unix_error if the connection is broken. *)

val write : t -> string -> unit
(** @raise Unix.Unix_error if the connection is broken. *)
