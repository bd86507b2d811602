(** Locks a directory, so that only one log at a time can write to it.

    Other processes are kept out by [lockf] on a file named [lock] in the directory; the system releases it
    when the process ends, however it ends. Within a process [lockf] excludes nobody, and closing the file
    anywhere would release the lock; there, a table of locked directories keeps others out.

    {b Cost.} A few system calls. *)

exception Locked of string
(** Its argument is the directory. *)

type t

val acquire : Log_system.t -> string -> t
(** @raise Locked if another log has locked the directory, in this process or another one. *)

val release : t -> unit
