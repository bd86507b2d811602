(** A directory that one log at a time may write to.

    Between processes: [lockf] on a file named [lock] in the directory, which the system releases when the
    process ends, however it ends. Within a process, where [lockf] excludes nobody and closing the file
    anywhere would give the lock away: a table.

    {b Cost.} A few system calls. *)

exception Locked of string
(** The directory. *)

type t

val acquire : Log_system.t -> string -> t
(** @raise Locked if another log has it, of this process or another one. *)

val release : t -> unit
