(** A log file's way from the disc to its summary. *)

val summarize :
  ?parse:(string -> Summary.t) -> parsers:int -> read:(bytes -> int -> int -> int) -> unit -> Summary.t
(** [summarize ~parsers ~read ()] is the summary of everything that [read] gives until it returns 0 (see
    {!Blocks.iter}). [read] may take its time: it is called through {!Weft.blocking}. [parse] makes a block's
    summary, at most [parsers] at a time; it is {!Summary.of_lines} unless given.

    {v read -> blocks -> parse, parse, ... -> summaries -> one summary v}

    The arrows behind [read] and [parse] are bounded channels: a slow part holds up those in front of it. At
    most [2 * parsers + 2] blocks are in memory, however long the input is; the table of paths grows with the
    number of different paths. If [read] or [parse] raises, so does [summarize]. *)
