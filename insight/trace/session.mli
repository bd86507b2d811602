(** A trace in the making: rings on one side, a file on the other. *)

type t

val create :
  file:Weft_files.Whole_file.writing ->
  format:Writer.format ->
  ?last:float ->
  ?history:bool ->
  began:int ->
  pid:int ->
  unit ->
  t
(** Time 0 is [began], by {!Weft_platform.Timer_thread.now}: before the program was started, or now.
    [history]: what the rings hold already is from before. Raises [Sys_error] if a temporary file cannot be
    made. *)

val open_rings : ?process:int -> t -> dir:string -> pid:int -> (unit, string) result
(** The rings of [pid] in [dir]; [process] is what this system calls it, where that differs. With [history],
    they are read through at once. *)

val has_rings : t -> bool

val advance : t -> bool
(** Reads what there is, and writes; whether there may be more. A damaged file is read no further. Raises
    [Sys_error] if it cannot write. *)

val has_stopped : t -> bool
(** The program has said that it ends. *)

type result = {
  events : int;  (** in the file *)
  seconds : float;  (** that the file covers *)
  domains : int;
  lost : Event.lost;
  of_weft : bool;  (** Weft's events were among them *)
  other_version : bool;  (** there were some of another version of Weft *)
  damaged : string option;
}

val finish :
  ?cpu:int ->
  t ->
  program:string ->
  arguments:string list ->
  by:[ `Trace | `Attach ] ->
  outcome:Event.outcome ->
  (result, string) Stdlib.result
(** Reads what is left, and writes the file to its end. [cpu] is the processor time in nanoseconds that the
    process had when it ended; without it the process is looked at once more, if it is there. *)

val cannot_write : t -> string -> string
(** [cannot_write s why] is the line for the user after a [Sys_error]. *)

val abandon : t -> unit
(** No file. *)
