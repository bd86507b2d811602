(** System calls on descriptors that do not wait.

    The calls of [Unix] release the runtime lock and copy all bytes once more, since they may wait. These do
    not wait, so they read into the caller's bytes, and write from them.

    Sockets never wait here, whatever their flags ([MSG_DONTWAIT]). Pipes, terminals and files wait unless
    they are non-blocking, and that flag belongs to all processes that share the file: so it is not changed
    here, but the caller is told. *)

type outcome =
  | Done of int  (** so many bytes *)
  | Would_wait
  | May_wait  (** nothing was tried: the descriptor is blocking, and no socket *)

val check : string -> bytes -> int -> int -> unit
(** [check who bytes pos len] must come before each of the following, which do not check.
    @raise Invalid_argument in the name of [who] if the range is none of the bytes'. *)

val read : Unix.file_descr -> bytes -> int -> int -> outcome
(** At most 64 KB; of nothing, nothing is tried.
    @raise Unix.Unix_error *)

val write : Unix.file_descr -> bytes -> int -> int -> outcome
(** Likewise. No SIGPIPE: a peer that has gone is [EPIPE]. *)

val write_waiting : Unix.file_descr -> bytes -> int -> int -> int
(** Writes to a blocking descriptor; at most 512 bytes, for which a pipe that is ready to be written has room
    (POSIX's [PIPE_BUF]). Releases the runtime lock. No SIGPIPE. *)

val is_ready : call:string -> Unix.file_descr -> writes:bool -> bool
(** Whether it could be read, or written, at this moment, has an error, or has lost its peer.
    @raise Unix.Unix_error [EBADF] in the name of [call] *)

val of_process : int -> Unix.file_descr option
(** A descriptor, closed on exec, that can be read once the child process has ended (Linux 5.3: [pidfd_open]);
    [None] if the system has none to give. *)

val fail : error:int -> string -> 'a
(** Raises the [Unix.Unix_error] of that error number. *)

(** {1 For tests} *)

val without_process_descriptors : bool Atomic.t
(** If set, {!of_process} is [None]. *)
