(** JSON from a file that may be anything. *)

val greatest_size : int
(** Of a file that is read, in bytes: some ten thousand rows fit in. *)

val parse : string -> (Yojson.Safe.t, string) result
(** [parse text] is the JSON value that [text] is. [Error] is one line: it is empty, nested too deeply, ends
    too early, or is no JSON, with the line and column. *)

val read_as : string -> (Yojson.Safe.t -> ('a, string) result) -> ('a, string) result
(** [read_as path of_json] is [of_json] of the value in that file ([-]: standard input). [Error] is one line
    that begins with the name of the file: it cannot be read, is a folder, is too large, or what {!parse} and
    [of_json] say. Blocks its thread until the file has been read. *)
