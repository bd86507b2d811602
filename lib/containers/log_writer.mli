(** The end of a log, where it is written. See {!Log_file} for what is promised.

    {b Cost.} That of {!Log_file}. *)

exception Failed of string * exn
exception Closed of string

type t

val make :
  Log_system.t ->
  string ->
  segment_size:int ->
  seed:Log_format.seed ->
  segments:Log_format.segment array ->
  fd:Unix.file_descr ->
  stop:int ->
  number:int ->
  marked:bool ->
  t
(** The log in a directory; all of it up to [stop] is on the disk. [fd] is the descriptor of the last segment,
    and [number] the number of the next record. [marked] tells that the last segment has no records, or ends
    with a mark. *)

type record

val record : who:string -> string -> record
(** See {!Log_file.val-record}.
    @raise Invalid_argument in the name of [who]. *)

val append_groups : t -> record array array -> int array array
val sync : t -> unit

val close : t -> unit
(** See {!Weft_containers.Log_file.close}; the descriptor is closed too. *)

val is_closed : t -> bool
val drop_before : t -> int -> unit
val segments : t -> Log_format.segment array
val stop : t -> int
val number : t -> int
val synced : t -> int
