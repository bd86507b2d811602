(** JSON from a file that may be anything. *)

val greatest_size : int
(** Of a file that is read, in bytes: some ten thousand rows fit in. *)

val parse : string -> (Yojson.Safe.t, string) result
(** [parse text] is the JSON value that [text] is. [Error] is one line: it is empty, nested too deeply, ends
    too early, or is no JSON, with the line and column. *)

val read_as : string -> (Yojson.Safe.t -> ('a, string) result) -> ('a, string) result
(** [read_as name of_json] is [of_json] of the value in that file, in any form that {!Weft_files.Input} reads.
    [Error] is one line that begins with the name of the file: it cannot be read, is too large, or what
    {!parse} and [of_json] say. Blocks its thread until the file has been read. *)
