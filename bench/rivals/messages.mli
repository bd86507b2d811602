(** The programs that pass messages: the group [channel]. *)

module Make (_ : Entered.S) : sig
  val ways : (string * Weft_bench_harness.Benchmark.way) list
  (** Benchmarks by name, and how the rival solves them. Where those who wait keep their domains, only for as
      many domains as there are parties. *)
end
