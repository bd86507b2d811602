(** The system calls that a log makes, as a record, so that tests can make each of them fail.

    {b Cost.} One system call each; {!read_fully} and {!write_fully} go on until all is done, and
    {!sync_directory} opens and closes the directory. *)

type t = {
  openfile : string -> Unix.open_flag list -> Unix.file_perm -> Unix.file_descr;
  size : Unix.file_descr -> int;
  read : Unix.file_descr -> at:int -> Bytes.t -> int -> int -> int;
      (** [read fd ~at b from length] reads at the offset [at] and returns how many bytes it has read: perhaps
          less than [length], 0 at the end of the file. *)
  write : Unix.file_descr -> at:int -> Bytes.t -> int -> int -> int;
      (** Likewise writes, perhaps less than [length]. *)
  truncate : Unix.file_descr -> int -> unit;
  sync : Unix.file_descr -> unit;  (** returns when what has been written to the file is on the disk *)
  close : Unix.file_descr -> unit;
  unlink : string -> unit;
}

val real : t

(** {1 Functions made of these}

    Calls that a signal interrupted ([EINTR]) are made again. *)

val open_file : t -> string -> Unix.open_flag list -> Unix.file_descr
(** [exec] closes the descriptor. If the file is made, other users may read it. *)

val unlink : t -> string -> unit

val read_fully : t -> Unix.file_descr -> at:int -> Bytes.t -> int -> int -> int
(** Reads until it has [length] bytes or the file has ended. Returns how many bytes it has read. *)

val write_fully : t -> Unix.file_descr -> at:int -> Bytes.t -> int -> int -> unit
(** Writes until all is written.
    @raise Unix.Unix_error
      if a call raises it; what was written before remains. [EIO] if a call writes nothing. *)

val sync : t -> Unix.file_descr -> unit
val truncate : t -> Unix.file_descr -> int -> unit

val sync_directory : t -> string -> unit
(** Returns when the names in the directory are on the disk. Does nothing where directories cannot be synced
    ([EINVAL]). *)

val close_quietly : t -> Unix.file_descr -> unit
(** Closes the file and ignores errors of [close]: all that had to be on the disk has been synced before. *)
