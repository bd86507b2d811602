(** Child processes of tests: started, waited for without a time limit, and read when they have ended. The
    {!Watchdog} finds a child that does not end: its report shows the child's command, output so far and
    threads. *)

type ended = { status : Unix.process_status; code : int; out : string; err : string }
(** [code]: the exit code, or 128 and the system's number of the signal that ended it. *)

type t
type output = Taken  (** is returned in {!ended} *) | Closed | To of string  (** an existing file *)

val start :
  ?env:(string * string) list ->
  ?without:(string -> bool) ->
  ?stdin:string ->
  ?stdout:output ->
  string ->
  string list ->
  t
(** [start program arguments] starts [program], which is looked for as the shell does. [env] is added to the
    environment, from which the variables for whose names [without] holds (by default none) are removed;
    [stdin] is the file that it reads (by default /dev/null). Both outputs go to files, so that nobody need
    read while it runs. The child is killed when the calling program exits. *)

val pid : t -> int

val signal : t -> int -> unit
(** Sends an OCaml signal to the child, unless it has ended. *)

val has_ended : t -> bool

val out : t -> string
(** The child's standard output so far. *)

val wait_for_output : t -> string -> unit
(** Waits until the standard output contains this.
    @raise Failure if the child ends before. *)

val wait_for_handler : t -> int -> unit
(** Waits until the child has a handler of this signal, as /proc says.
    @raise Failure if the child ends before. *)

val finish : t -> ended
(** Waits until the child has ended. *)

val run :
  ?env:(string * string) list ->
  ?without:(string -> bool) ->
  ?stdin:string ->
  ?stdout:output ->
  string ->
  string list ->
  ended
(** {!start}, then {!finish}. *)

val with_temp_file : (string -> 'a) -> 'a
(** Calls the function with the path of an empty file, which is removed at the end. *)
