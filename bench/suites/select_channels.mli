(** Taking the next message of either of two channels, beside taking it from the one where it is known to
    come. *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** The group [select]: [select_ready], where one fiber sends each message itself before it takes it, from a
    channel with room; [select_waiting], where it waits at two rendezvous channels for two senders. *)
