(** Priority queues: elements pushed and taken off, in equal parts. *)

open Weft_bench_harness

type element = int * int
(** Priority, and a number of its own. *)

val check :
  all:element list ->
  popped:element list ->
  rest:element list ->
  there:(int -> bool) ->
  (unit, Benchmark.wrong) result
(** [check ~all ~popped ~rest ~there] is right if each of [all] is either in [popped] or in [rest], once, and
    nothing else is; and nothing popped has a greater priority than one of the [rest] whose number [there]
    accepts, because it was there all the time. *)

val benchmark : group:string -> Benchmark.t
(** [batch_priority_queue]. *)
