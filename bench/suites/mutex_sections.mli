(** A mutex that is locked all the time, by as many parties as there are domains: how often, and how long its
    parties wait.

    A run has two parts, each with as many locks as the size says. The first gives the time of a lock, and
    looks at no clock between. In the second, each lock is timed: its figures are the median, the 99th and the
    99.9th percentile and the greatest of the times from asking for the mutex until having it. All parties
    begin together, and go on until all locks together are made: none runs alone before or after the others.
*)

open Weft_bench_harness

val program :
  parties:int ->
  run:((unit -> int) list -> int list) ->
  yield:(unit -> unit) ->
  lock:('m -> unit) ->
  unlock:('m -> unit) ->
  section:(unit -> unit) ->
  (unit -> 'm) ->
  int ->
  unit ->
  int * (float * float array)
(** [program ~parties ~run ~yield ~lock ~unlock ~section make n] is the program of every method: in each of
    two parts the parties together lock [make ()] [n] times, and each time call [section ()]. They call
    [yield ()] until all are there. The result is how many locks the parties have counted, the seconds of the
    first part, and the waits of the second in seconds. *)

val benchmarks : Benchmark.t list
(** The other part of the group [mutex]: [mutex_section_0], [_100ns], [_1us], [_10us], by the time that the
    mutex is held. The parties of the method [fibers] are fibers, those of [stdlib] threads, one in each
    domain. *)
