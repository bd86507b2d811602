(** [weft trace]: runs a program and writes its trace. *)

type options = {
  output : string option;  (** [None]: after the program's name *)
  format : Writer.format option;  (** [None]: after the end of [output] *)
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
(** [say ~quiet who message]: a line on standard error. *)

val complain : string -> string -> unit
val format_of : Writer.format option -> string option -> Writer.format

val opened : output:string option -> string -> (Weft_files.Whole_file.writing, string) result
(** [opened ~output path] is [path], which [output] has named if it is given, to be written. *)

val tell_result : quiet:bool -> string -> string -> Session.result -> unit
val exit_wrong : int
