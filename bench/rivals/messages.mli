(** The programs that pass messages: the group [channel]. *)

module Make (_ : Entered.S) : sig
  val ways : (string * Weft_bench_harness.Benchmark.way) list
  (** The rival's ways, by the names of the benchmarks. If tasks that wait keep their domains, the rival only
      takes part with as many domains as there are parties. *)
end
