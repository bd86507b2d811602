(** A log kept in files: records are appended at its end. Once they are synced, they stay, whatever happens.

    {b What is promised.} A record is {e synced} when a call of {!sync} after its append has returned. After
    any crash of the process, of the system or of the machine, it is then there with all records before it, as
    far as the disk keeps what [fsync] has been told. Records that have not been synced may be lost: the last
    ones first, never one without all that came after it. Groups ({!append_many}) are kept or lost as a whole.
    The records that are there are those that were appended: each has a checksum (CRC-32C), its number and its
    place, so that neither half-written nor zero-filled nor flipped bytes are taken for a record.

    {b Recovery.} {!open_} cuts off what is incomplete at the end, and reports it ({!type-recovery}). If
    something is wrong before that, where all had been synced, it is not the trace of a crash but damage:
    {!open_} raises {!Damaged} and changes nothing. After {!close}, every byte of the log is known to have
    been synced, and every flipped bit is reported. After a kill, damage to what was written after the last
    sync but one looks like an incomplete end.

    {b Failures.} When an append fails (for example, no space is left), the file is cut back to its last good
    end, and nothing of that append is in the log. If cutting fails too, it is tried again before the next
    append, which fails as long as cutting does; only if the process ends before that, some of the failed
    append may be found later. When [fsync] fails, the system may have forgotten what it did not write, and a
    second [fsync] may say that all is well. So the log is never synced again, and all later appends raise
    {!Failed}. What had not been synced is in doubt: after {!open_}, some of it may be there. The same holds
    if a signal handler's exception ends a [sync]. System calls that signals interrupt are made again.

    {b Files.} A log is a directory; {!Log_format} describes its format. It is written in segments, so that
    old records can be dropped. Only one log at a time can have the directory open ({!Locked}), and only that
    log can read it meanwhile. Directories on network file systems are as good as their [fsync] and [lockf].

    Only one thread at a time may use a log; other threads may use a {!view} of it.

    {b Cost.} Each function says it, in system calls where it makes some. Writing ({!append_many},
    {!append_groups}) and reading take one for every 64 KiB or longer record, and O(bytes). {!open_} is
    O(segments + bytes of the last one). {!sync} and {!close} are an [fsync]. {!read}, {!fold} and {!iter}
    look for the segment, O(segments), and open it. {!view}, {!val-recovery}, {!first} and {!stop} are O(1).
*)

type t

type position = int
(** The place of a record. Later records have greater positions. A record's position never changes, so it may
    be stored anywhere. *)

exception Damaged of { file : string; offset : int; reason : string }
(** The file does not have what was synced. *)

exception Locked of string
(** The log in this directory is open already, in this process or another one. *)

exception Failed of string * exn
(** The log in this directory could not be synced, for this reason, and takes no more records. *)

exception Closed of string
(** The log in this directory has been closed. *)

(** {1 Opening and closing} *)

val open_ : ?system:Log_system.t -> ?create:bool -> ?segment_size:int -> string -> t
(** [open_ path] is the log in the directory [path]. If there is none, it is made, unless [create] is [false];
    the directory is made too, if its parent is there. A new segment begins after [segment_size] bytes, by
    default 64 MiB; a batch that is longer has a segment of its own. [system] is for tests.

    It reads the last segment, and the headers of the others; the records of these are checked when they are
    read. All that is in the log is synced when it returns.

    @raise Locked if the log is open.
    @raise Damaged if the log is damaged, or of an unknown version.
    @raise Unix.Unix_error if a system call fails; [ENOENT] if there is no log and [create] is [false].
    @raise Invalid_argument if [segment_size < 1]. *)

type recovery = {
  records : int;  (** how many records the log has *)
  cut : cut option;  (** what was incomplete and has been cut off *)
}
(** What {!open_} found. *)

and cut = { file : string; offset : int; bytes : int; reason : string }

val recovery : t -> recovery

val close : t -> unit
(** Syncs the log, marks its end, and lets others open it. Does nothing if the log is closed already. If it
    raises, the log is closed all the same.
    @raise Failed if syncing fails now, not if it has failed before. *)

(** {1 Appending} *)

val append : t -> string -> position
(** Appends a record: one system call. O(length).
    @raise Closed
    @raise Failed if the log could not be synced before, or now, when a segment is full.
    @raise Unix.Unix_error if the record cannot be written: then the log is as before.
    @raise Invalid_argument if the record is longer than {!Log_format.max_length}. *)

val append_many : t -> string array -> position array
(** Appends the records as a group: after a crash, all are there or none. *)

val sync : t -> unit
(** Returns when all that has been appended is on the disk. Makes no system call if it is already.
    @raise Closed
    @raise Failed if [fsync] fails, or has failed before. *)

type record = Log_writer.record
(** A record that can be appended. *)

val record : string -> record
(** Makes a record and computes its checksum: O(length). Any thread may call it.
    @raise Invalid_argument if it is longer than {!Log_format.max_length}. *)

val append_groups : t -> record array array -> position array array
(** Appends several groups at once, with one system call for every 64 KiB. If it raises, none is appended.
    After a crash, each group is there as a whole or not at all. *)

(** {1 Reading} *)

val length : t -> int
(** How many records there are. O(1). *)

val first : t -> position
(** The position of the first record: no record has a smaller one. *)

val stop : t -> position
(** The next record will have this position, or a greater one. *)

val read : t -> position -> string
(** The record at this position. Opens its file each time and reads 64 KiB, or the record if that is longer:
    some 10 us.
    @raise Damaged
    @raise Invalid_argument if there is none at this position. *)

val fold : ?from:position -> (position -> string -> 'acc -> 'acc) -> t -> 'acc -> 'acc
(** Folds over the records in order, from the one at [from] (by default the first; {!stop} is also possible)
    to the one that is the last when the call begins. The function may append to the log.
    @raise Damaged when it comes to a damaged record.
    @raise Invalid_argument if there is no record at [from]. *)

val iter : ?from:position -> (position -> string -> unit) -> t -> unit

val view : synced:bool -> t -> Log_cursor.view
(** What the log has now. Any one thread may read it with {!Log_cursor}. With [synced], it has only what has
    been synced. *)

(** {1 Dropping old records} *)

val drop_before : t -> position -> unit
(** Removes the segments that have only records before this position; the last segment stays. A thread that
    reads these records meanwhile gets [ENOENT]. O(segments), with some system calls for each one that is
    removed. *)
