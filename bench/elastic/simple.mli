(** The common frame of these benchmarks: sizes from 1 on, no cutoff, no input to prepare. *)

open Weft_bench_harness

val benchmark :
  name:string ->
  doc:string ->
  size_doc:string ->
  default_size:int ->
  ?paced:bool ->
  Benchmark.way list ->
  Benchmark.t
(** [benchmark ~name ~doc ~size_doc ~default_size ways] is that benchmark; [paced] (default: false) is as in
    {!Benchmark.t}. *)

val way :
  check:(int -> 'result -> (unit, Benchmark.wrong) result) ->
  ?figures:(seconds:float -> 'result -> Figure.t list) ->
  (int -> 'result) ->
  Contestant.t ->
  Benchmark.way
(** [way ~check ~figures compute c] computes [compute size] within [c], and checks the result with
    [check size]. *)
