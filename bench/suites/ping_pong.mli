(** Two parties hand a token to and fro: each waits until the other has handed it over. *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** The group [ping_pong]: [ping_pong_channel], through two rendezvous channels; [ping_pong_promise], where
    each hand-over settles a promise made for it; [ping_pong_yield], where a party yields until it is its
    turn. Threads hand over by a condition variable in the first two. *)
