(** Names for what a program does, for those who look at it from outside.

    [weft trace -- PROGRAM] runs a program and writes down what its workers, fibers and collections did when;
    [weft attach] looks at one that runs already. They need nothing from the program. What they show is easier
    to read where the program names its parts:

    {[
      let sort a = Weft.Trace.region "sort" (fun () -> Weft.Array.sort compare a)
    ]}

    {b Limits}: [doc/limits.md], section {e Tools}.

    {b Cost.} {!region} and {!instant} are O(1), and O(length of the name) while somebody listens; {!enabled}
    and {!start} are O(1). Every function here may be called from any thread, in a pool or not, and does not
    suspend. While nobody listens, a call costs a nanosecond beyond that of the function it is given. *)

val region : string -> (unit -> 'a) -> 'a
(** [region name f] is [f ()], shown as a span called [name] from its beginning to its end, also if it raises.
    Regions may be nested, and several of the same name may run at once. The fiber may wait in [f] and go on
    on another worker: the region ends there. Of names longer than 900 bytes the beginning is shown. While
    somebody listens, a region costs about two tenths of a microsecond. *)

val instant : string -> unit
(** [instant name] is shown as a point in time. *)

val enabled : unit -> bool
(** Whether events are written. Ask before you make a name from parts, which costs time. *)

val start : unit -> unit
(** From now on events are written ([Runtime_events.start]), to the file [PID.events] in the directory that
    [OCAML_RUNTIME_EVENTS_DIR] names, or else the current one, from which [weft attach] reads. The file is
    removed at the program's end. Not needed under [weft trace], nor where [OCAML_RUNTIME_EVENTS_START] is set
    in the environment. Pauses the whole program for some microseconds; does nothing the second time.

    If the file cannot be made, OCaml ends the program. *)
