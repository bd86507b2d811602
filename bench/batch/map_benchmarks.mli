(** Benchmarks of maps. *)

open Weft_bench_harness

type structure = {
  name : string;  (** as in the names of benchmarks, such as ["avl"] *)
  doc : string;  (** in words, such as ["AVL trees"] *)
  range : int;  (** all keys are less than this *)
  most_before : int;  (** the greatest number of bindings at the start *)
  operations : Workload.mix -> int;  (** the default number of operations *)
  sequential : Subject.t;
  stdlib : (Contestant.t * Subject.t) option;  (** the plain program with a map of the standard library *)
  batched : Subject.t;
  lockfree : Subject.t option;
}

val mixed : group:string -> structure -> Workload.mix -> Keys.pattern -> Benchmark.t
(** [mixed ~group s mix pattern] is the benchmark [batch_NAME_MIX], with the names of [s] and [mix]; unless
    the keys are uniform, [_] and the name of [pattern] follow. Its methods are [sequential], that of
    [s.stdlib], [coarse], [lockfree], [batched], [exec_many] and [submit]; with other patterns than uniform
    [sequential], [coarse], [lockfree] and [batched]. At the start the map has five times as many keys as
    there are operations, but at most [s.most_before]. Figures: thousands of operations per second; words
    allocated per operation, including those of the forks; and the statistics of the map. *)

val bulk : group:string -> structure -> Keys.pattern -> Benchmark.t
(** [bulk ~group s pattern] adds keys to a map with twenty times as many: the benchmark [batch_NAME_bulk] if
    they ascend; else [_] and the name of [pattern] follow. [batched] adds all at once, by
    [Subject.t.add_all]; the other methods are those of {!mixed}. *)

val work : (int -> (int -> unit) -> unit) -> (unit -> Workload.t) -> Subject.t -> Benchmark.work
(** [work how workload map] makes the operations of [workload ()] by [how n f], where [f i] makes the [i]th,
    and checks the results ({!Account}). *)
