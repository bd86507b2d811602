(** Traces of rings that lie in a file: of [Weft.Trace.dump_last], or what a killed program has left. *)

type options = {
  output : string option;
  format : Writer.format option;
  last : float option;
  quiet : bool;
  rings : string;
  program : string option;  (** the executable file that has written them, unless they tell *)
}

val run : options -> int
(** [weft trace --rings]. The exit code. *)

val is_rings : string -> bool
(** Whether that is such a file. *)

val convert : who:string -> string -> into:string -> (unit, string) result
(** [convert ~who rings ~into:file] writes their trace, as JSON. An [Error] is one line. [who] is the command
    that says what else there is to say. *)
