(** Locking and unlocking a mutex. *)

val parties : int
(** The number of fibers or threads that use the mutex, except in [mutex_uncontended]. *)

val program :
  parties:int ->
  run:((unit -> unit) list -> unit list) ->
  lock:('m -> unit) ->
  unlock:('m -> unit) ->
  inside:(unit -> unit) ->
  (unit -> 'm) ->
  domains:int ->
  int ->
  unit ->
  int
(** [program ~parties ~run ~lock ~unlock ~inside make ~domains n] is the program of every method: together,
    the parties lock [make ()] [n] times, and each time add one to a counter, in two steps with [inside ()]
    between them. The result is the counter. *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** The group [mutex], of which {!Mutex_sections} is the other part: [mutex_uncontended], by one party;
    [mutex_contended], by several that add one to a counter; [mutex_waiting], where the holder yields before
    it unlocks, so that the other fibers have to wait. (Threads on one domain do not wait: OCaml's mutex lets
    the thread that has unlocked it lock it again, ahead of the waiting threads.) *)
