(** Child processes of tests: started, waited for without a limit of their own, and read when they have ended.
    A child that does not end is the {!Watchdog}'s, whose report tells its command, its output so far and its
    threads. *)

type ended = { status : Unix.process_status; code : int; out : string; err : string }
(** [code]: the exit code, or 128 and the system's number of the signal that ended it. *)

type t
type output = Taken  (** comes back in {!ended} *) | Closed | To of string  (** a file that is there *)

val start :
  ?env:(string * string) list ->
  ?without:(string -> bool) ->
  ?stdin:string ->
  ?stdout:output ->
  string ->
  string list ->
  t
(** [start program arguments] starts [program], which is looked for as the shell does. [env] is added to the
    environment, without those variables for whose names [without] holds (none); [stdin] is the file that it
    reads (/dev/null). Both outputs go to files, so that nobody need read while it runs. The child is killed
    when the calling program exits. *)

val pid : t -> int

val signal : t -> int -> unit
(** Sends it an OCaml signal, unless it has ended. *)

val has_ended : t -> bool

val out : t -> string
(** Its standard output so far. *)

val wait_for_output : t -> string -> unit
(** Until its standard output contains this.
    @raise Failure if it ends before. *)

val wait_for_handler : t -> int -> unit
(** Until it has a handler of this signal, by /proc.
    @raise Failure if it ends before. *)

val finish : t -> ended
(** Until it has ended. *)

val run :
  ?env:(string * string) list ->
  ?without:(string -> bool) ->
  ?stdin:string ->
  ?stdout:output ->
  string ->
  string list ->
  ended
(** {!start}, and {!finish}. *)

val contains : string -> string -> bool
(** [contains part text]. *)

val lines : string -> string list
(** The lines of a text that are not empty. *)

val with_temp_file : (string -> 'a) -> 'a
(** With the path of an empty file, which is removed at the end. *)
