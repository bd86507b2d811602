(** The pipeline from a log file to its summary. *)

val summarize :
  ?parse:(string -> Summary.t) -> parsers:int -> read:(bytes -> int -> int -> int) -> unit -> Summary.t
(** [summarize ~parsers ~read ()] is the summary of everything that [read] gives until it returns 0 (see
    {!Blocks.iter}). [read] may block: it is called through {!Weft.blocking}. [parse] makes a block's summary,
    in at most [parsers] calls at a time; by default it is {!Summary.of_lines}.

    {v read -> blocks -> parse, parse, ... -> summaries -> one summary v}

    The arrows after [read] and [parse] are bounded channels: a slow part holds up the parts before it. At
    most [2 * parsers + 2] blocks are in memory, however long the input is; the table of paths grows with the
    number of different paths. If [read] or [parse] raises, so does [summarize]. *)
