(** Functions of {!Weft.Array} and {!Weft.Atomic_array}, each beside the best sequential program for the same
    result. *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** The group [arrays]: [arrays_integer_sort], [arrays_kth_smallest], [arrays_pack_index],
    [arrays_scan_inplace]; [arrays_write_min], where offers for the elements of an array compete, also with an
    array of OCaml's [Atomic.t] (the way of loops); [arrays_merge_short], [arrays_short_searches] and
    [arrays_counted_searches], of short arrays, many in one loop or reduction. *)
