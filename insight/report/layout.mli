(** Arranges the rows of the timeline, and the events in the lanes of each row. *)

type item = { start : int; stop : int; category : Category.t; name : string; arguments : Event.arguments }

type row = {
  label : string;
  group : string;
      (** the kind of its events: [worker], [gc], [region], [wait], [work] (batches and the like), [instant]
      *)
  crowded : bool;
      (** whether the last lane also holds the items that found no free lane, so that they may overlap *)
  lanes : item array array;  (** each lane sorted by start *)
}

val greatest_number_of_lanes : int

val rows : Trace.t -> row list
(** Regions first; then for each track its spans, its collections and its instants; then batches, blocking
    calls, waits and other spans. Rows without events are left out. What tells that a worker had no processor
    has a row of its own, and is there of the category [no processor]. *)
