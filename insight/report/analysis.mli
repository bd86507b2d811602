(** All results of [weft report] for a trace. *)

type t = {
  file : string;
  trace : Trace.t;
  workers : Workers.t array;
  machine : Activity.machine option;
  process : Activity.process option;
  steals : (string * string * int) list;
  forks : int option;
  losses : Losses.t;
  waits : Activity.waits list;
  batches : Activity.batches list;
  collections : Collections.t;
  delays : Delays.row list;
  slowest : (Delays.group * Delays.slow list) list;  (** up to 20 of each group *)
  diagnoses : Finding.t list;
}

val of_trace : file:string -> Trace.t -> t

val title : t -> string
(** The program, without its folder, and its arguments; or else the file's name. Not escaped. *)
