(** [weft trace]: runs a program and writes its trace. *)

type options = {
  output : string option;  (** [None]: named after the program *)
  format : Writer.format option;  (** [None]: chosen by the suffix of [output] *)
  last : float option;
  ring : int option;
  quiet : bool;
  program : string;
  arguments : string list;
}

val run : options -> int
(** The exit code. *)

(** {1 For [weft attach]} *)

val say : quiet:bool -> string -> string -> unit
(** [say ~quiet who message] writes a line to standard error, unless [quiet]. *)

val complain : string -> string -> unit
val format_of : Writer.format option -> string option -> Writer.format

val opened : ?input:string -> output:string option -> string -> (Weft_files.Whole_file.writing, string) result
(** [opened ~input ~output path] opens [path] for writing; if [output] is given, error messages name its
    option. [Error] also if that would replace the file [input]. *)

val tell_result : quiet:bool -> string -> string -> Session.result -> unit
val exit_wrong : int
