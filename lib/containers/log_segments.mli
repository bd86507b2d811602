(** The files of a log.

    {b Cost.} A few system calls for each segment that is concerned; {!bases} O(n log n) for n of them. *)

val make_directory : Log_system.t -> string -> unit
(** If it is not there; its parent must be. On the disk when this returns. *)

val file : string -> Log_format.segment -> string
(** Its path; the first argument is that of the directory. *)

val create : Log_system.t -> string -> Log_format.segment -> Unix.file_descr
(** A new segment without records, which is on the disk, with its name, when this returns. If it raises, the
    file is removed again as far as possible: what is left is an empty segment or an incomplete one. *)

val bases : string -> int list
(** The positions by which the segments in the directory are named, in order.
    @raise Sys_error if it cannot be read. *)

type loaded = {
  segments : Log_format.segment array;  (** in order *)
  synced : int;  (** up to this position all had been synced: where the last file begins *)
  incomplete : (string * int) option;
      (** a last file that is no segment yet, and its size: its header was not on the disk, so it has no
          records *)
}

val load : Log_system.t -> string -> loaded
(** The segments there are. Each must continue the one before. O(number of segments).
    @raise Log_error.Damaged if a header is damaged, a segment is missing, or one has a wrong size. *)

val remove : Log_system.t -> string -> string -> unit
(** [remove system path file] removes the file from the directory, for good. *)
