(** Reads JSON from a file that may contain anything. *)

val greatest_size : int
(** The greatest size of a file, in bytes: enough for some ten thousand rows. *)

val parse : string -> (Yojson.Safe.t, string) result
(** [parse text] is the JSON value that [text] is. [Error] is one line: the text is empty, nested too deeply,
    ends too early, or is no JSON; with the line and column. *)

val read_as : string -> (Yojson.Safe.t -> ('a, string) result) -> ('a, string) result
(** [read_as name of_json] is [of_json] of the value in that file, in any form that {!Weft_files.Input} reads.
    [Error] is one line that begins with the name of the file: the file cannot be read or is too large, or it
    is the error of {!parse} or [of_json]. Blocks the calling thread until the file has been read. *)
