(** Reads the records of one segment, one after the other.

    {b Cost.} O(1), unless it says otherwise. *)

type t

val make :
  Log_system.t -> Unix.file_descr -> Log_format.seed -> base:int -> from:int -> limit:int -> number:int -> t
(** Reads the records from the position [from] up to [limit], of the segment that begins at [base]. The first
    of them must have the number [number], or any if that is 0. The descriptor must stay open, and have no
    other user meanwhile. *)

type item =
  | Record of { position : int; payload : string; more : bool; synced : int }
  | Mark of { position : int; synced : int }
  | End  (** [limit] is reached *)
  | Bad of string  (** there is no whole record at {!position}; the string tells why *)

val next : t -> item
(** The next item; {!position} is then behind it. After [End] and [Bad] the position stays. O(length), with
    one system call for every 64 KiB or longer record.
    @raise Unix.Unix_error if reading fails. *)

val position : t -> int

val number : t -> int
(** The number that the next record must have. *)
