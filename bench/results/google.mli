(** Results in the JSON format of Google Benchmark, for the programs that read it.

    Each row is a family of one benchmark, [fib/par/size:36/cutoff:none/domains:2]: an entry of the type
    [iteration] for each run, and, if there were several, the aggregates mean, median, stddev and cv. Times
    are in nanoseconds; [threads] is the number of domains; [iterations] is 1, because a run is one
    computation. Figures are counters. What the rows have as medians only (switches, collections, peak memory,
    ratios) are counters of the median; where there is but one run, of that.

    What is not known has to be there all the same: the name of the host is empty, the frequency 0, the list
    of caches empty. Of the load, the average of one minute is known. *)

val of_results : Results.t -> Yojson.Safe.t
(** [of_results results] is the object with [context] and [benchmarks]. *)
