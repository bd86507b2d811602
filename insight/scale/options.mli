(** The command line of [weft scale]. *)

type asked = {
  json : string option;
  svg : string option;
  keep : string option;  (** [--save] *)
  workers : int list;
  steal : int option;  (** ns; [None]: measured, or the value from the profile *)
  measure : int list;
  against : string option;  (** a command for the shell that does the same work without Weft *)
  rounds : int;
}

type target =
  | Run of string list  (** the program and its arguments *)
  | Read of string
  | Benchmarks of string list * int * int option  (** their names, numbers of domains, size *)

val term : (asked * target) Cmdliner.Term.t
(** Options that would have no effect on the target are refused. *)
