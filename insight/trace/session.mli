(** A trace that is being written: events go from the rings to a file. *)

type t

val create :
  file:Weft_files.Whole_file.writing ->
  format:Writer.format ->
  ?last:float ->
  ?history:bool ->
  ?began_at:float ->
  began:int ->
  pid:int ->
  unit ->
  t
(** The time 0 of the trace is [began], by {!Weft_platform.Timer_thread.now}: a moment before the program was
    started, or now; [began_at] is the same in seconds since 1970. Give it if the rings were written before
    this system was booted. With [history], the rings already hold events from before that. Raises [Sys_error]
    if a temporary file cannot be made. *)

val open_rings : ?process:int -> ?program:string -> t -> dir:string -> pid:int -> (unit, string) result
(** Opens the rings of [pid] in [dir]; [process] is the process's pid as seen from here, if that differs;
    [program] is its executable file, in case it has ended. With [history], all events in them are read at
    once. *)

val open_copy : ?program:string -> t -> dir:string -> pid:int -> (unit, string) result
(** Like {!open_rings}, but nothing is asked of the process, which may be gone, and all events are read at
    once. To be used with [history]: a ring may reach back further than the trace. *)

val has_rings : t -> bool

val advance : t -> bool
(** Reads the available events and writes them; returns whether there may be more. A damaged file is read no
    further. Raises [Sys_error] if it cannot write. *)

val has_stopped : t -> bool
(** Whether the program has told that it ends. *)

type result = {
  events : int;  (** the number of events in the file *)
  seconds : float;  (** the seconds that the file covers *)
  domains : int;
  lost : Event.lost;
  of_weft : bool;  (** whether events of Weft were among them *)
  other_version : bool;  (** whether events of another version of Weft were among them *)
  damaged : string option;
}

val finish :
  ?cpu:int ->
  t ->
  program:string ->
  arguments:string list ->
  by:[ `Trace | `Attach | `Rings ] ->
  outcome:Event.outcome ->
  (result, string) Stdlib.result
(** Reads the remaining events, and completes the file. [cpu] is the processor time in nanoseconds that the
    process had when it ended; without it, the process is read once more, if it exists. *)

val cannot_write : t -> string -> string
(** [cannot_write s why] is the line for the user after a [Sys_error]. *)

val abandon : t -> unit
(** Ends the session without a file. *)
