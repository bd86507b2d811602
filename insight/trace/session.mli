(** A trace in the making: rings on one side, a file on the other. *)

type t

val create :
  file:Whole_file.t ->
  format:Writer.format ->
  ?last:float ->
  ?history:bool ->
  began:int ->
  pid:int ->
  unit ->
  t
(** Time 0 is [began], by {!Weft_support.Alarm.now}: before the program was started, or now. [history]: what
    the rings hold already is from before. Raises [Sys_error] if a temporary file cannot be made. *)

val open_rings : t -> dir:string -> pid:int -> (unit, string) result
(** With [history], that is read through at once. *)

val has_rings : t -> bool

val advance : t -> bool
(** Reads what there is, and writes; whether there may be more. A damaged file is read no further. Raises
    [Sys_error] if it cannot write. *)

val has_stopped : t -> bool
(** The program has said that it ends. *)

type result = {
  events : int;
  seconds : float;
  domains : int;
  lost : Event.lost;
  of_weft : bool;  (** Weft's events were among them *)
  other_version : bool;  (** there were some of another version of Weft *)
  damaged : string option;
}

val finish :
  t ->
  program:string ->
  arguments:string list ->
  by:[ `Trace | `Attach ] ->
  outcome:Event.outcome ->
  (result, string) Stdlib.result
(** Reads what is left, and writes the file to its end. *)

val abandon : t -> unit
(** No file. *)
