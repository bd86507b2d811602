(** JSON from a file that may be anything. *)

val greatest_size : int
(** Of a file that is read, in bytes: some ten thousand rows fit in. *)

val read : string -> (Yojson.Safe.t, string) result
(** [read path] is the JSON value in that file ([-]: standard input). [Error] is one line that begins with the
    name of the file: it cannot be read, is a folder, is empty, too large, nested too deeply, ends too early,
    or is no JSON, with the line and column. Blocks its thread until the file has been read. *)

val parse : string -> (Yojson.Safe.t, string) result
(** [parse text] is the same for what has been read; [Error] does not name the file. *)

val shown : string -> string
(** [shown path] is how messages name that file. *)
