(** Changes of source texts. *)

type t = {
  file : string;
  was : string;  (** as in the file, with spaces and line breaks *)
  now : string;
  times : int;  (** how often [was] must occur *)
}

type mutant = {
  name : string;
  edits : t list;  (** no edits: the fault is in a shadow module *)
  caught_by : string list;  (** names of scenarios, each of which must fail *)
}

val edit : ?times:int -> string -> string -> string -> t
(** [edit file was now]; [times] is 1 by default. *)

(** {1 Planted faults} *)

val mutant : string -> caught_by:string list -> (string -> t) list -> mutant
(** Each of the edits gets the name. *)

val swap : ?before:string -> ?after:string -> string -> string -> string -> string -> t
(** [swap file was fault name] puts [fault] beside [was], in force if [name] is planted; both are expressions.
    [before] and [after] are the text around it, which identifies the place. *)

(** {1 Applying} *)

exception Does_not_apply of t * int
(** The edit, and how often [was] occurs. *)

val apply : t list -> file:string -> string -> string
(** [text], changed by the [edits] for [file]. *)
