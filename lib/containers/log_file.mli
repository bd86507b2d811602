(** A log kept in files: records are appended at its end and stay, whatever happens, once they are synced.

    {b What is promised.} A record is {e synced} when {!sync} has returned after it was appended; with all
    before it, it is then there after any crash of the process, of the system, or of the machine, as far as
    the disk keeps what [fsync] has been told. Records that have not been synced may be lost, the last ones
    first, never one without all that came after it; groups ({!append_many}) all or none. What is there is
    what was appended: each record has a checksum (CRC-32C), its number and its place, so that neither
    half-written nor zero-filled nor flipped bytes are taken for a record.

    {b Recovery.} {!open_} cuts off what is incomplete at the end, and says so ({!type-recovery}). Something
    wrong before that, where all had been synced, is no trace of a crash but damage: it raises {!Damaged} and
    changes nothing. After {!close} every byte of the log is known to have been synced, and every flipped bit
    is told; after a kill, damage to what was written after the last sync but one looks like an incomplete
    end.

    {b Failures.} When an append fails (no space left, say), the file is cut back to its last good end, and
    nothing of what was to be appended is in the log. If that fails too, it is tried again before the next
    append, which fails as long as it does; only if the process ends before, some of it may be found later.
    When [fsync] fails, the system may have forgotten what it did not write, and a second [fsync] may say that
    all is well: so the log is never synced again, and all later appends raise {!Failed}. What had not been
    synced is in doubt: after {!open_} some of it may be there. The same holds if a signal handler's exception
    ends a [sync]. System calls interrupted by signals are made again.

    {b Files.} A log is a directory; its format is described in {!Log_format}. It is written in segments, so
    that old records can be dropped. One log at a time has it open ({!Locked}); reading it is not possible
    meanwhile but by that log itself. Directories on network file systems are as good as their [fsync] and
    [lockf].

    A log is to be used by one thread at a time; a {!view} of it, by others.

    {b Cost.} Each function says it, in system calls where it makes some: to write ({!append_many},
    {!append_groups}) and to read take one for every 64 KiB or longer record, and O(bytes). {!open_} is
    O(segments + bytes of the last one). {!sync} and {!close} are an [fsync]. {!read}, {!fold} and {!iter}
    look for the segment, O(segments), and open it. {!view}, {!val-recovery}, {!first} and {!stop} are O(1).
*)

type t

type position = int
(** The place of a record: greater for later ones, the same for ever, and to be remembered anywhere. *)

exception Damaged of { file : string; offset : int; reason : string }
(** There is not what was synced. *)

exception Locked of string
(** The log in this directory is open already, in this process or another one. *)

exception Failed of string * exn
(** The log in this directory could not be synced, for this reason, and takes no more records. *)

exception Closed of string
(** The log in this directory has been closed. *)

(** {1 Opening and closing} *)

val open_ : ?system:Log_system.t -> ?create:bool -> ?segment_size:int -> string -> t
(** [open_ path] is the log in the directory [path]. If there is none, it is made, the directory too (its
    parent must be there), unless [create] is [false]. [segment_size], 64 MiB unless said, is the number of
    bytes after which a new segment is begun; a longer batch has one of its own. [system] is for tests.

    Reads the last segment, and the headers of the others, whose records are checked when they are read. All
    that is in the log is synced when it returns.

    @raise Locked if it is open.
    @raise Damaged if it is damaged, or of a version not known.
    @raise Unix.Unix_error if a system call fails; [ENOENT] if there is none and none was to be made.
    @raise Invalid_argument if [segment_size < 1]. *)

type recovery = {
  records : int;  (** how many records the log has *)
  cut : cut option;  (** what was incomplete and has been cut off *)
}
(** What was found. *)

and cut = { file : string; offset : int; bytes : int; reason : string }

val recovery : t -> recovery

val close : t -> unit
(** Syncs the log, marks its end, and lets others open it. Nothing happens if it is closed already. Also if
    this raises, the log is closed.
    @raise Failed if it could not be synced, now; not if that is known already. *)

(** {1 Appending} *)

val append : t -> string -> position
(** Appends a record: one system call. O(length).
    @raise Closed
    @raise Failed if the log could not be synced before, or now, where a segment is full.
    @raise Unix.Unix_error if it cannot be written: then the log is as before.
    @raise Invalid_argument if the record is longer than {!Log_format.max_length}. *)

val append_many : t -> string array -> position array
(** Likewise, a group: after a crash all are there or none. *)

val sync : t -> unit
(** Returns when all that has been appended is on the disk. No system call if it is already.
    @raise Closed
    @raise Failed if [fsync] fails, or has failed before. *)

type record = Log_writer.record
(** One that can be appended. *)

val record : string -> record
(** Computes its checksum: O(length). May be called by any thread.
    @raise Invalid_argument if it is longer than {!Log_format.max_length}. *)

val append_groups : t -> record array array -> position array array
(** Several groups at once, by one system call for every 64 KiB: all are appended, or, if it raises, none.
    After a crash, each is there or not. *)

(** {1 Reading} *)

val length : t -> int
(** How many records there are. O(1). *)

val first : t -> position
(** No record has a smaller position. *)

val stop : t -> position
(** The next record will have this position, or a greater one. *)

val read : t -> position -> string
(** The record at this position. Opens its file each time and reads 64 KiB, or the record if it is longer:
    some 10 us.
    @raise Damaged
    @raise Invalid_argument if there is none at this position. *)

val fold : ?from:position -> (position -> string -> 'acc -> 'acc) -> t -> 'acc -> 'acc
(** In order, from the record at [from] (the first one, unless said; {!stop} is also possible) to the one that
    is the last when the call begins. The function may append to the log.
    @raise Damaged when it comes to a damaged record.
    @raise Invalid_argument if there is no record at [from]. *)

val iter : ?from:position -> (position -> string -> unit) -> t -> unit

val view : synced:bool -> t -> Log_cursor.view
(** What the log is now, to be read by any one thread with {!Log_cursor}; if [synced], only what has been
    synced. *)

(** {1 Dropping old records} *)

val drop_before : t -> position -> unit
(** Removes the segments that have only records before this position; the last segment stays. Who reads them
    meanwhile gets [ENOENT]. O(segments), with some system calls for each that is removed. *)
