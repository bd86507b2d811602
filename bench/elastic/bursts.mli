(** Bursts of work in a pool that rests between them: again and again a loop of a millisecond of work
    ({!Weft_bench_suites.Microseconds}), with 64 iterations, after a pause in which its caller sleeps.

    The figures are ["second domain"], the time from the call of the loop until an iteration begins in another
    domain than the caller's; ["burst"], the time of the loop; and, in percent of all bursts, ["alone %"],
    those that the caller did alone. These have no time until a second domain works. *)

open Weft_bench_harness

val after : milliseconds:int -> bursts:int -> Benchmark.t
(** [after ~milliseconds ~bursts] rests so long; the usual size is [bursts]. *)
