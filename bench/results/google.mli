(** Results in the JSON format of Google Benchmark, for the programs that read it.

    Each row is a family of one benchmark, [fib/par/size:36/cutoff:none/domains:2]: an entry of the type
    [iteration] for each run, and, if there were several, the aggregates mean, median, stddev and cv. Times
    are in nanoseconds; [threads] is the number of domains; [iterations] is 1, because a run is one
    computation. Figures are counters. Values of which rows have only medians (switches, collections, peak
    memory, ratios) are counters of the median; if there is only one run, of that run.

    The format requires entries for values that are unknown: the name of the host is empty, the frequency 0,
    the list of caches empty. The load has only the average of one minute. *)

val of_results : Results.t -> Yojson.Safe.t
(** [of_results results] is the object with [context] and [benchmarks]. *)
