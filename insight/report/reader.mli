(** Reads Chrome's trace event format one event at a time. The caller decides what to keep, so a file may be
    larger than the memory. *)

type other = (string * Yojson.Safe.t) list
(** The members of [otherData]; none if the file is an array of events. *)

val read : string -> f:(Event.raw -> unit) -> (other, string) result
(** [read path ~f] calls [f] on every event of the file, in its order. [Error] is one line that names the
    file, says what is wrong with it and where, and what to do: the file cannot be read ({!Weft_files.Input}),
    is empty, is in the Fuchsia format, is no JSON, ends too early, is JSON but no trace, or holds an event
    without a time. Times and processes may be given as strings. [f] may have been called before an error. An
    array of events may lack its closing bracket, as Chrome allows. *)
