(** What a project would change to use [weft-domainslib] for domainslib, and changing it. *)

type change = { line : int; from : string; by : string }

type changed = {
  path : string;
  before : string;
  after : string;
  diff : string;
  changes : change list;  (** in order *)
}

type note = { path : string; line : int; needed : bool; what : string; advice : string }
(** see {!Finding} *)

type t = {
  root : string;
  changed : changed list;
  notes : note list;  (** by file and line *)
  left_out : Project.left_out list;
  trouble : Project.left_out list;  (** files that could not be read, or not be understood *)
}

val find : string -> (t, string) result
(** [find folder] changes nothing. [Error] as that of {!Project.read}. *)

val write : t -> t
(** Writes what has changed, file by file, each whole or not at all ({!Replacement}). In the result, [changed]
    are those that were written; the others are among [trouble]. *)
