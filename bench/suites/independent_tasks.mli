(** Independent tasks: a thousand at once, started by one party and awaited by it in order. The size is the
    work of one task in microseconds ({!Microseconds}), of which a run has some 50 ms. *)

open Weft_bench_harness

val by : Contestant.t -> spawn:((unit -> int) -> 'promise) -> await:('promise -> int) -> Benchmark.way
(** [by contestant ~spawn ~await] is the way of other promises. *)

val benchmark : Benchmark.t
(** [independent_tasks]: by {!Weft.async}, {!Weft.Scope.async} and {!Weft.Pool.async} in the pool, and by
    {!Weft.Pool.async} from a thread outside. *)
