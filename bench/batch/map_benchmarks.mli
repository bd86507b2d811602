(** Benchmarks of maps. *)

open Weft_bench_harness

type structure = {
  name : string;  (** as in the names of benchmarks, such as ["avl"] *)
  doc : string;  (** in words, such as ["AVL trees"] *)
  range : int;  (** keys are less *)
  most_before : int;  (** the greatest number of bindings before *)
  operations : Workload.mix -> int;  (** how many, by default *)
  sequential : Subject.t;
  batched : Subject.t;
  lockfree : Subject.t option;
}

val mixed : group:string -> structure -> Workload.mix -> Keys.pattern -> Benchmark.t
(** [mixed ~group s mix pattern] is the benchmark [batch_] with the name of [s], [_], that of [mix], and but
    for uniform keys [_], that of [pattern]. Its methods are [sequential], [coarse], [lockfree] and [batched].
    There are five times as many keys before as operations, but at most [s.most_before]. Figures: thousands of
    operations per second; words allocated per operation, those of the forks included; what the map itself
    tells. *)

val bulk : group:string -> structure -> Benchmark.t
(** [bulk ~group s] adds keys in ascending order to a map with twenty times as many: [batched] by
    [Subject.t.add_all], all at once, the other methods one by one. *)

val work : (int -> (int -> unit) -> unit) -> (unit -> Workload.t) -> Subject.t -> Benchmark.work
(** [work how workload map] makes the operations of [workload ()] by [how n f], where [f i] makes the [i]th,
    and checks what came of them ({!Account}). *)
