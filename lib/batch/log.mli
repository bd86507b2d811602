(** A log that many tasks append to, durably, with one [fsync] for many of them: group commit.

    {!append} returns when the record is on the disk. While one batch is being written and synced, the records
    of all calls that come meanwhile gather, and are the next batch: one write, one [fsync]. So the more tasks
    append at the same time, the less each pays; a task alone pays one [fsync], as it would without batches.
    Writing and syncing run in [Weft.blocking]: the workers go on with other tasks.

    This is a batched form of {!Weft_containers.Log_file}, which describes the guarantees for synced records,
    how a log recovers, and its files. A record whose [append] has returned is synced.

    Any task and any thread may call all functions. Functions that append or read suspend the calling task.

    {b Failures.} If a batch cannot be written (no space left, say), all appends of the batch raise that
    exception, none of their records is in the log, and the log remains usable. If [fsync] fails, the appends
    of the batch and all later ones raise {!Failed}; whether the records of that batch are there is known only
    when the log is opened again.

    {b Cancellation.} If a task is cancelled while it waits, its record may have been appended or not.

    {b Cost.} To append is O(length), and a share of one write and one [fsync] for the whole batch. {!read} is
    O(length + segments), and opens a file; {!fold} and {!iter} are O(what they read), with a system call for
    every 64 KiB. {!open_} and {!close} cost as much as in {!Weft_containers.Log_file}, {!drop_before} is
    O(segments) system calls; each function is O(1) otherwise. {!append_many}, {!exec}, {!exec_many},
    {!submit}, {!submit_many}, {!apply} and {!run_batch} cost as much as their appends. *)

type t
type position = Weft_containers.Log_file.position

exception Damaged of { file : string; offset : int; reason : string }
exception Locked of string
exception Failed of string * exn

exception Closed of string
(** The exceptions of {!Weft_containers.Log_file}. *)

(** {1 Opening and closing} *)

val open_ :
  ?system:Weft_containers.Log_system.t -> ?create:bool -> ?segment_size:int -> ?limit:int -> string -> t
(** See {!Weft_containers.Log_file.open_}. [limit]: the greatest number of operations in a batch.
    @raise Invalid_argument also if [limit < 1]. *)

val recovery : t -> Weft_containers.Log_file.recovery
(** The result of the recovery when the log was opened. *)

val close : t -> unit
(** Returns when all records appended before are on the disk and others may open the log. Later calls raise
    {!Closed}; a second [close] does nothing. *)

(** {1 Appending} *)

val append : t -> string -> position
(** [append t s] appends the record [s] and returns when it is on the disk.

    If one call follows another, so do their records; records of calls at the same time are in any order. The
    caller computes the checksum, O(length).
    @raise Closed if the log has been closed.
    @raise Failed if the log could not be synced, now or earlier.
    @raise Unix.Unix_error if the batch could not be written: the record is not in the log.
    @raise Invalid_argument if it is longer than {!Weft_containers.Log_format.max_length}. *)

val append_many : t -> string array -> position array
(** Like {!append}, for several records, which lie next to each other in this order, as a group: after a crash
    all are there or none. *)

val sync : t -> unit
(** Returns when all appended records are on the disk. {!append} does not return earlier either, so this only
    checks that the log is still in order: it raises what an append would. *)

(** {1 Reading} *)

val length : t -> int
(** How many records there are, including those that are being written at the moment. Never waits. *)

val first : t -> position
(** The position of the first record. Never waits. *)

val read : t -> position -> string
(** [read t p] is the record at [p]. Suspends.
    @raise Invalid_argument if there is none there.
    @raise Damaged if it is damaged.
    @raise Closed if the log is closed. *)

val fold : ?from:position -> (position -> string -> 'acc -> 'acc) -> t -> 'acc -> 'acc
(** The records that are on the disk when the call begins, in order. Appends go on meanwhile. The calling task
    calls the function, which may do anything. See {!Weft_containers.Log_file.fold}. *)

val iter : ?from:position -> (position -> string -> unit) -> t -> unit
(** As {!fold}, without a result. *)

val drop_before : t -> position -> unit
(** See {!Weft_containers.Log_file.drop_before}. *)

(** {1 Statistics} *)

type stats = {
  records : int;  (** records that have been appended *)
  batches : int;  (** the batches that they were written in, each with one write and one [fsync] *)
  greatest : int;  (** the most records in one batch *)
}

val stats : t -> stats
(** Since the log was opened. [records / batches] is how many shared an [fsync]. *)

val quiesce : t -> unit
(** Returns when all operations that were called before have ended.
    @raise Reentrant like {!Weft_batch.Make_generic.exec}. *)

(** {1 The structure itself}

    For tests and tools. *)

(** An operation with a result of type ['a]. *)
type 'a op =
  | Append : Weft_containers.Log_file.record -> position op
  | Append_many : Weft_containers.Log_file.record array -> position array op
  | Sync : unit op
  | View : Weft_containers.Log_cursor.view op  (** a view of the records on the disk *)
  | Drop_before : position -> unit op
  | Close : unit op

(** One operation of a batch, and where its result goes. *)
type packed = Op : 'a op * 'a Cell.t -> packed

type sequential
(** A log and its statistics, for one batch at a time. *)

val sequential : Weft_containers.Log_file.t -> sequential

val apply : sequential -> 'a op -> 'a
(** Appends, and syncs. *)

val run_batch : sequential -> packed array -> unit
(** First all appends, in the order of arrival, by one write and one [fsync]; then the other operations. *)

val exec : t -> 'a op -> 'a
(** See {!Weft_batch.Make_generic.exec}. *)

val exec_many : t -> 'a op array -> 'a array
(** See {!Weft_batch.Make_generic.exec_many}. *)

val submit : t -> 'a op -> 'a Weft.Promise.t
(** A promise of the result: see {!Weft_batch.Make_generic.submit}. The promise of an [Append] is settled when
    the record is on the disk; if the append fails, with the exception that {!append} would raise. *)

val submit_many : t -> 'a op array -> 'a array Weft.Promise.t
(** One promise of all results: see {!Weft_batch.Make_generic.submit_many}. *)
