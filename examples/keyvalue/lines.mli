(** Reading and writing lines on a socket. Both suspend the calling fiber. *)

type line = Line of string | Too_long
type t

val limit : int
(** The largest number of bytes of a line, without its end. *)

val of_socket : ?idle:float -> ?patience:float -> Unix.file_descr -> t
(** {!read} waits for at most [idle] seconds, and {!write} for [patience]; without them, as long as it takes.
*)

val read : t -> line list option
(** The lines that end in the next data from the socket, without their ends; waits for data. [None]: the other
    side has ended. An incomplete line is dropped then.

    @raise Weft.Cancel.Timeout if none comes in time.
    @raise Unix.Unix_error if the connection is broken. *)

val write : t -> string -> unit
(** @raise Weft.Cancel.Timeout if the other side does not read in time.
    @raise Unix.Unix_error if the connection is broken. *)
