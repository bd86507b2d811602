(** The programs that fork and join: [fib], [nqueens], [spawn_await], [spawn_await_many]; [small_trees],
    [independent_tasks]. *)

module Make (R : Entered.S) : sig
  val fib : R.pool -> int -> int
  (** [fib pool n] is the [n]th Fibonacci number, with a fork at every call. *)

  val ways : (string * Weft_bench_harness.Benchmark.way) list
  (** The rival's ways, by the names of the benchmarks. *)
end
