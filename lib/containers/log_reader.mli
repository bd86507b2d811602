(** Reads the records of one segment, one after the other.

    {b Cost.} O(1), unless it says otherwise. *)

type t

val make :
  Log_system.t -> Unix.file_descr -> Log_format.seed -> base:int -> from:int -> limit:int -> number:int -> t
(** The records from the position [from] up to [limit] of the segment that begins at [base]. [number] is what
    the first of them must have; 0: any. The descriptor must stay open, and have no other user meanwhile. *)

type item =
  | Record of { position : int; payload : string; more : bool; synced : int }
  | Mark of { position : int; synced : int }
  | End  (** [limit] is reached *)
  | Bad of string  (** what is at {!position} is no whole record; why *)

val next : t -> item
(** The next one; {!position} is then behind it. After [End] and [Bad] it stays. O(length), with one system
    call for every 64 KiB or longer record.
    @raise Unix.Unix_error if reading fails. *)

val position : t -> int

val number : t -> int
(** That the next record must have. *)
