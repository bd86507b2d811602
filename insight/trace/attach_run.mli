(** [weft attach]: writes the trace of a program that is already running. *)

type options = {
  output : string option;
  format : Writer.format option;
  last : float option;
  seconds : float option;  (** how long to trace; [None]: until the program ends or Control-C is pressed *)
  quiet : bool;
  pid : int;
}

val run : options -> int
(** The exit code. *)
