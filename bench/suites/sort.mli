(** Sorting arrays of integers, floats and strings, stably and in place. The benchmarks check that results are
    sorted and have the elements of the input; the tests of the sort check that it is stable. *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** The group [sort], of 1,000,000 elements: [sort_ints], [sort_floats] and [sort_strings], in random order,
    and [sort_sorted], [sort_reversed] and [sort_equal], of integers. *)
