(** The bytes of a log.

    A log is a directory of {e segments}: files named by the position of their first record (20 digits and
    [.log]). A {e position} is a number of bytes: the length of all records before it, with their headers,
    since the log began. So a record at position [p] of the segment that begins at [base] is at the offset
    [64 + p - base] of its file. All numbers are little-endian.

    A segment begins with a header of 64 bytes:
    {v
 0  "WeftLog\n"
 8  u32  version, 1
12  u32  0
16  u64  the log's identity, chosen at random when it was made
24  u64  base: the position of the first record
32  u64  number of the first record
40       zeros
60  u32  CRC-32C of these 60 bytes
    v}
    Records follow without gaps, each with a header of 24 bytes:
    {v
 0  u32  bits 0 to 29: length of the payload; bit 30: a mark; bit 31: more of the group follows
 4  u32  CRC-32C of the payload
 8  u64  number of the record, from 1
16  u32  unsynced: how many bytes before this record were not known to be on the disk when it was made
         (2^32 - 1: as many or more)
20  u32  CRC-32C of these 20 bytes, computed from the log's identity and the position
24       the payload
    v}
    The checksum covers the identity and the position, so a record counts only where it was written: neither
    the bytes of another log nor a copy of this log's own bytes within a payload are taken for records.

    The records of a {e group} are recovered all or none: all but the last say that more follow. A {e mark}
    has no payload and the number that the next record will have. Its [unsynced = 0] says that all before it
    is on the disk. A log that was closed ends with a mark.

    {b Cost.} O(1): headers have a fixed length. *)

val segment_header : int
(** 64. *)

val record_header : int
(** 24. *)

val max_length : int
(** The greatest length of a payload: 2{^ 30} - 1. *)

(** {1 Segments} *)

type segment = { id : int; base : int; first_number : int }

val offset : base:int -> int -> int
(** [offset ~base position] is the offset of the position in the file of the segment that begins at [base]. *)

val file_name : int -> string
(** The name of the segment that begins at this position. *)

val base_of_file_name : string -> int option

val set_segment : Bytes.t -> segment -> unit
(** Writes the header to the first 64 bytes. *)

val get_segment : Bytes.t -> (segment, string) result
(** Reads the header; [Error] tells what is wrong with it. *)

(** {1 Records} *)

type seed
(** What the checksums of a log's headers are computed from. *)

val seed : id:int -> seed

val set_record :
  seed ->
  Bytes.t ->
  int ->
  position:int ->
  length:int ->
  crc:int ->
  number:int ->
  synced:int ->
  more:bool ->
  mark:bool ->
  unit
(** Writes the header of the record at [position] into a buffer, at the given index. All up to the position
    [synced] is on the disk. *)

val is_record : seed -> Bytes.t -> int -> position:int -> bool
(** Whether the header of a record of this log at [position] is at this index. *)

(** The fields of the header at this index. *)

val length : Bytes.t -> int -> int
val crc : Bytes.t -> int -> int
val number : Bytes.t -> int -> int
val more : Bytes.t -> int -> bool
val mark : Bytes.t -> int -> bool

val synced : Bytes.t -> int -> position:int -> int
(** The position up to which all was on the disk; [-1] if it is not known. *)
