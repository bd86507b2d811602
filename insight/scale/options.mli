(** The command line of [weft scale]. *)

type asked = {
  json : string option;
  svg : string option;
  keep : string option;  (** [--save] *)
  workers : int list;
  steal : int option;  (** ns; [None]: to be measured, or what it was when the profile was made *)
  measure : int list;
  rounds : int;
}

type target =
  | Run of string list  (** the program and its arguments *)
  | Read of string
  | Benchmarks of string list * int * int option  (** their names, numbers of domains, size *)

val term : (asked * target) Cmdliner.Term.t
(** Options that would change nothing for what is asked for are refused. *)
