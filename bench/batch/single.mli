(** Benchmarks of structures other than maps: one operation again and again, each in a task of its own. *)

open Weft_bench_harness

(** A structure, made anew for every run, and the programs that use it. *)
type t =
  | Subject : {
      prepare : int -> 'input;  (** all that it takes for so many operations, outside any pool *)
      step : 'input -> int -> unit;  (** the operation of that number *)
      check : int -> 'input -> (unit, Benchmark.wrong) result;
          (** when all have been made, outside any pool *)
      figures : 'input -> Figure.t list;  (** what the structure itself tells *)
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
    one domain only. The figures are those of {!Methods.figures}, and the structure's own. *)
