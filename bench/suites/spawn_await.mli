(** Promises of tasks without work: how many are made and awaited in a second.

    Threads, which are started and joined, run only a part of the tasks: see {!Operations}. *)

val at_once : int
(** The number of promises at a time in [spawn_await_many]: 1,000. *)

val many : task:(unit -> int) -> spawn:((unit -> int) -> 'promise) -> await:('promise -> int) -> int -> int
(** [many ~task ~spawn ~await n] starts [task] [n] times, {!at_once} at a time, awaits them in order, and is
    the sum of their results. *)

val by :
  Weft_bench_harness.Contestant.t ->
  spawn:((unit -> int) -> 'promise) ->
  await:('promise -> int) ->
  (string * Weft_bench_harness.Benchmark.way) list
(** [by contestant ~spawn ~await] are the ways of other promises, by the names of the benchmarks. *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** The group [promises]: [spawn_await], one promise after the other, and [spawn_await_many], where {!at_once}
    promises are made and then awaited, so that other workers have time to steal tasks. *)
