(** What it costs to be traced: tasks of a given length, with events and without, by turns.

    [overhead.exe [MICROSECONDS [ROUNDS]]] runs, in a pool of one domain and in one of two, rounds of tasks
    that compute for so long (10 us, 21 rounds), alternately while the runtime writes events and while it does
    not, and prints for each pool the median of the ratios of neighbouring rounds. Nobody reads the rings
    meanwhile: [weft trace] needs a processor of its own for that, now and then. *)
