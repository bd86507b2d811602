(** Benchmarks of many small operations that are all alike: a message, a lock, a switch.

    Methods that are slower by orders of magnitude make fewer operations, so that no run takes minutes. So
    compare the time of one operation or the number in a second, not the times of runs. The table also shows
    how many operations were made. *)

open Weft_bench_harness

type 'result kind = {
  figures : seconds:float -> int -> Figure.t list;  (** the figures of a run of that many operations *)
  check : int -> 'result -> (unit, Benchmark.wrong) result;
      (** the check of the result of that many operations *)
}

val way :
  ?part:int ->
  ?on:(int -> bool) ->
  Contestant.t ->
  'result kind ->
  (domains:int -> int -> unit -> 'result) ->
  Benchmark.way
(** [way contestant kind program] makes as many operations as the size says. [program ~domains n] prepares [n]
    of them; calling its result is timed. With [part] (default: 1), only one of so many operations, rounded
    up, is made. [on] (default: any) accepts the numbers of domains on which the way takes part. *)

val for_threads : int
(** The [part] for threads that block each other at every operation: 20. *)

val count : string -> int -> int -> (unit, Benchmark.wrong) result
(** [count what n made] is right if [made = n]; [what] are the things counted, such as ["messages"]. *)

val benchmark :
  ?group:string ->
  name:string ->
  doc:string ->
  size_doc:string ->
  default_size:int ->
  Benchmark.way list ->
  Benchmark.t
(** [benchmark ~name ~doc ~size_doc ~default_size ways] takes sizes from 0 on, and no cutoff. *)
