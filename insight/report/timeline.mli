(** The interactive page: one HTML file that needs nothing else. *)

val write : ?show:int * int -> out_channel -> Analysis.t -> unit
(** [write channel analysis] writes the page, which opens at the time [show]. Its data take some nine bytes
    for each event, and a third more as text. Names and arguments from the trace are data only, never markup.
*)
