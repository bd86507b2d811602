(** Reads the records of a log, from segment to segment.

    {b Cost.} {!make} is O(segments); {!chunk} is O(bytes), with a system call for every 64 KiB or longer
    record, and one to open each segment; {!fold} costs what all chunks do, {!read} what the record does and a
    file that is opened for it; {!close} is O(1). *)

type view = {
  system : Log_system.t;
  path : string;
  seed : Log_format.seed;
  segments : Log_format.segment array;  (** in order, at least one *)
  stop : int;  (** the position behind the last record *)
}
(** A log at some moment. What is appended later does not change it. *)

type t

val make : ?who:string -> view -> from:int -> t
(** [who] is the function that messages name, here and below; by default this one.
    @raise Invalid_argument unless [from] is within the view. *)

val chunk : t -> (int * string) list
(** The next records with their positions: some 64 KiB together, or one record if that is longer; [[]] if
    there is none. Only one thread at a time may call it.
    @raise Log_error.Damaged
      if there is something else in the place of a record; earlier calls have returned what is before it.
    @raise Invalid_argument if there is no record at [from].
    @raise Unix.Unix_error if reading fails; [ENOENT] if what is to be read has been dropped. *)

val close : t -> unit
(** Must be called at the end, also after an exception. *)

(** {1 All at once} *)

val fold :
  ?who:string ->
  ?around:((unit -> (int * string) list) -> (int * string) list) ->
  ?from:int ->
  (int -> string -> 'acc -> 'acc) ->
  view ->
  'acc ->
  'acc
(** Folds over the records from [from], by default the first position, to the end. [around] calls the function
    that reads a {!chunk}. *)

val read : ?who:string -> view -> int -> string
(** The record at this position. *)
