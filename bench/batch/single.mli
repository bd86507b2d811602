(** Benchmarks of structures other than maps: one operation again and again, each in a task of its own. *)

open Weft_bench_harness

(** A structure, made anew for every run, and the functions that use it. *)
type t =
  | Subject : {
      prepare : int -> 'input;  (** prepares so many operations, outside any pool *)
      step : 'input -> int -> unit;  (** makes the operation with that number *)
      check : int -> 'input -> (unit, Benchmark.wrong) result;
          (** is called after all operations, outside any pool *)
      figures : 'input -> Figure.t list;  (** the structure's own statistics *)
    }
      -> t

val benchmark :
  ?greatest:int ->
  group:string ->
  name:string ->
  doc:string ->
  default_size:int ->
  sequential:t ->
  ?unlocked:t ->
  coarse:t ->
  ?lockfree:t ->
  t ->
  Benchmark.t
(** [benchmark ... batched]; [greatest] (default: 100,000,000) is the greatest size. [unlocked] takes part on
    one domain only. The figures are those of {!Methods.figures} and those of the structure. *)
