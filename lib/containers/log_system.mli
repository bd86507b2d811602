(** What a log asks of the operating system, as a record, so that tests can make each call fail.

    {b Cost.} One system call each, but {!read_fully} and {!write_fully}, which go on until all is done, and
    {!sync_directory}, which opens and closes it. *)

type t = {
  openfile : string -> Unix.open_flag list -> Unix.file_perm -> Unix.file_descr;
  size : Unix.file_descr -> int;
  read : Unix.file_descr -> at:int -> Bytes.t -> int -> int -> int;
      (** [read fd ~at b from length] reads at the offset [at]; perhaps less than [length], at the end 0. *)
  write : Unix.file_descr -> at:int -> Bytes.t -> int -> int -> int;
      (** Likewise; perhaps less than [length]. *)
  truncate : Unix.file_descr -> int -> unit;
  sync : Unix.file_descr -> unit;  (** What has been written to the file is on the disk. *)
  close : Unix.file_descr -> unit;
  unlink : string -> unit;
}

val real : t

(** {1 Made of these}

    Calls that a signal interrupted ([EINTR]) are made again. *)

val open_file : t -> string -> Unix.open_flag list -> Unix.file_descr
(** Closed by [exec]; if it is made, others may read it. *)

val unlink : t -> string -> unit

val read_fully : t -> Unix.file_descr -> at:int -> Bytes.t -> int -> int -> int
(** Reads until it has [length] bytes or the file has ended; how many there were. *)

val write_fully : t -> Unix.file_descr -> at:int -> Bytes.t -> int -> int -> unit
(** Writes until all is written.
    @raise Unix.Unix_error of any call; what was written before remains. [EIO] if a call writes nothing. *)

val sync : t -> Unix.file_descr -> unit
val truncate : t -> Unix.file_descr -> int -> unit

val sync_directory : t -> string -> unit
(** The names in the directory are on the disk. Where directories cannot be synced ([EINVAL]), nothing. *)

val close_quietly : t -> Unix.file_descr -> unit
(** Whatever [close] says: all that had to be on the disk has been synced before. *)
