(** The rows of the timeline, and in which lane of its row each event lies. *)

type item = { start : int; stop : int; category : Category.t; name : string; arguments : Event.arguments }

type row = {
  label : string;
  group : string;
      (** what it shows: [worker], [gc], [region], [wait], [work] (batches and the like), [instant] *)
  crowded : bool;  (** the last lane holds all that did not fit: its items may overlap *)
  lanes : item array array;  (** each by start *)
}

val greatest_number_of_lanes : int

val rows : Trace.t -> row list
(** Regions first; then for each track its spans, its collections, and its instants; then what waits. Rows
    without events are left out. *)
