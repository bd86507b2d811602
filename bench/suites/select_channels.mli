(** Taking the next message from either of two channels, compared with taking it from the channel where it is
    known to come. *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** The group [select]: [select_ready], where one fiber sends each message to a channel with room, and then
    takes it itself; [select_waiting], where a fiber waits at two rendezvous channels for two senders. *)
