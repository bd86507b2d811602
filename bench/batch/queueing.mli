(** Priority queues: half of the operations push, half pop. *)

open Weft_bench_harness

type element = int * int
(** The priority, and a number that identifies the element. *)

val check :
  all:element list ->
  popped:element list ->
  rest:element list ->
  there:(int -> bool) ->
  (unit, Benchmark.wrong) result
(** [check ~all ~popped ~rest ~there] is right if each of [all] is either in [popped] or in [rest], once, and
    no other element is; and if no popped element has a greater priority than an element of [rest] whose
    number [there] accepts: [there] tells which elements were in the queue all the time. *)

val benchmark : group:string -> Benchmark.t
(** [batch_priority_queue]. *)
