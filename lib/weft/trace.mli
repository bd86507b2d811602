(** Names for the parts of a program, shown by tools that trace it. [weft trace -- PROGRAM] runs a program and
    records what its workers, fibers and collections did when; [weft attach] shows a program that runs
    already. Both work with any program, but their output is easier to read if the program names its parts:

    {[
      let sort a = Weft.Trace.region "sort" (fun () -> Weft.Array.sort compare a)
    ]}

    {b Limits}: [doc/limits.md], section {e Tools}.

    {b Cost.} {!named} is O(1). {!region} and {!instant} are O(1), and O(length of the name) while somebody
    listens; {!enabled} and {!start} are O(1). Every function here may be called from any thread, in a pool or
    not, and does not suspend. {!dump_last} has its own paragraph. While nobody listens, a call costs a
    nanosecond, beside the function that it calls. *)

val region : string -> (unit -> 'a) -> 'a
(** [region name f] is [f ()], shown as a span called [name] from its beginning to its end, even if it raises.
    Regions may be nested, and several of the same name may run at once. The fiber may wait in [f] and go on
    on another worker: the region ends there. If a name is longer than 900 bytes, only its beginning is shown.
    While somebody listens, a region costs about two tenths of a microsecond. *)

val instant : string -> unit
(** [instant name] is shown as a point in time. *)

val named : string -> (unit -> 'a) -> unit -> 'a
(** [named name f] is a function that calls [f], in a fiber that traces call [name]:

    {[
      let pages = List.map (fun url -> Weft.async (Weft.Trace.named url (fun () -> fetch url))) urls
    ]}

    It is for the functions that tasks are made of; {!Scope.async}, {!Scope.start} and {!Pool.async} have a
    [?name] for the same. A fiber that has a name keeps it. A task that {!Weft.await} runs in its own fiber
    has none. A fiber without a name is called by the line of its function, if the program was built with
    debugging information, as dune does. *)

val enabled : unit -> bool
(** Whether events are written. Check it before you build a name, which costs time. *)

val start : unit -> unit
(** From now on events are written ([Runtime_events.start]) to the file [PID.events] in the directory that
    [OCAML_RUNTIME_EVENTS_DIR] names, or else in the current one; [weft attach] reads that file. It is removed
    at the program's end. [start] is not needed under [weft trace], nor with [WEFT_TRACE=ring] or
    [OCAML_RUNTIME_EVENTS_START] in the environment. It pauses the whole program for some microseconds; a
    second call does nothing.

    If the file cannot be made, OCaml ends the program. *)

val dump_last : string -> unit
(** [dump_last file] writes what happened last into [file], when something took too long, say; but once in a
    minute at most, since one stall makes many requests slow, and each call copies all rings:

    {[
      let dumped = Atomic.make neg_infinity

      let serve request =
        let began = Weft.now () in
        answer request;
        let now = Weft.now () and last = Atomic.get dumped in
        if now -. began > 0.5 && now -. last > 60. && Atomic.compare_and_set dumped last now then
          Weft.Trace.dump_last "slow.events"
    ]}

    [weft report slow.events] explains it, and [weft trace --rings slow.events] makes a trace of it, with what
    all workers and fibers did in the last tenths of a second, or seconds. The program must write events: it
    does if [WEFT_TRACE=ring] is in the environment, since {!start}, or under [weft trace]. No tool has to
    read them: each domain writes into a ring in memory, where the newest events take the place of the oldest.
    How far it reaches back depends on the size of the rings: [OCAMLRUNPARAM=e=20] makes them 8 MiB for each
    domain, sixteen times as large as by default, and is the most: OCaml ends a program that asks for more
    (with 128 domains). Regions that are still open are shown if their beginning is still in a ring. The rings
    are a file that grows as they fill, mapped into memory: if its disk is full, the system ends the program
    by SIGBUS.

    An older [file] is replaced, once the new one is whole; if it is a link, its target is written into
    directly. A pipe cannot be written, nor the file of the rings itself. Where no events are written, there
    is no file, and the first call says so on standard error.

    {b Cost.} O(size of the rings). Meanwhile the thread is blocked, in calls of the system; other domains go
    on. In a pool, [Weft.blocking (fun () -> Weft.Trace.dump_last file)] blocks no worker.
    @raise Sys_error if the file cannot be written or is that of the rings, or if that has been removed. *)
