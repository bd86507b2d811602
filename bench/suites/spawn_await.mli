(** Promises of tasks that have nothing to do: how many are made and awaited in a second.

    Threads, which are made and joined, are a few of them only: see {!Operations}. *)

val at_once : int
(** How many there are at a time in [spawn_await_many]: 1,000. *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** The group [promises]: [spawn_await], one promise after the other, and [spawn_await_many], {!at_once} made
    and then awaited, so that others have time to take them. *)
