(** The interactive page: one HTML file that needs nothing else. *)

val write : out_channel -> Analysis.t -> unit
(** [write channel analysis] writes the page. Its data take some nine bytes for each event, and a third more
    as text. Names and arguments from the trace are data only, never markup. *)
