(** The files of a log.

    {b Cost.} A few system calls for each segment that is concerned; {!bases} O(n log n) for n of them. *)

val make_directory : Log_system.t -> string -> unit
(** Makes the directory if it is not there; its parent must be. It is on the disk when this returns. *)

val file : string -> Log_format.segment -> string
(** The path of the segment's file; the first argument is the path of the directory. *)

val create : Log_system.t -> string -> Log_format.segment -> Unix.file_descr
(** Makes a segment without records; it is on the disk, with its name, when this returns. If it raises, the
    file is removed again as far as possible: what is left is an empty segment or an incomplete one. *)

val bases : string -> int list
(** The positions by which the segments in the directory are named, in order.
    @raise Sys_error if the directory cannot be read. *)

type loaded = {
  segments : Log_format.segment array;  (** in order *)
  synced : int;  (** the position up to which all had been synced: where the last file begins *)
  incomplete : (string * int) option;
      (** a last file that is no segment yet, and its size: its header was not on the disk, so it has no
          records *)
}

val load : Log_system.t -> string -> loaded
(** The segments in the directory. Each must continue the one before it. O(number of segments).
    @raise Log_error.Damaged if a header is damaged, a segment is missing, or one has a wrong size. *)

val remove : Log_system.t -> string -> string -> unit
(** [remove system path file] removes the file from the directory, for good. *)
