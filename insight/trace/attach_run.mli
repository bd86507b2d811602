(** [weft attach]: writes the trace of a program that runs already. *)

type options = {
  output : string option;
  format : Writer.format option;
  last : float option;
  seconds : float option;  (** how long, if not until the program ends or Control-C comes *)
  quiet : bool;
  pid : int;
}

val run : options -> int
(** The exit code. *)
