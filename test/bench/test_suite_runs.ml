open Weft_bench_harness
open Weft_bench_suites

let is_quick = Testing.Effort.level = Quick

(* Runs every configuration once to warm up, except in a quick run, and once more; the runner checks the
   results. *)
let run_all choice =
  let configs = Result.get_ok (Plan.make choice) in
  match Runner.run ~warm_up:(not is_quick) ~runs:1 ~progress:(fun ~round:_ _ -> ()) configs with
  | Ok _ -> ()
  | Error failure -> Alcotest.failf "%a" Runner.pp_failure failure

(* Iteration 1 of [for_irregular] takes some milliseconds, and each of the next few half as long again. *)
let small_sizes (benchmark : Benchmark.t) =
  let least, _ = benchmark.sizes in
  let greatest =
    match benchmark.name with
    | "for_irregular" | "metg" | "uts_t3" | "uts_t3l" -> 3
    (* A run takes as long at any size. *)
    | "small_trees" | "independent_tasks" -> 3
    | name when String.starts_with ~prefix:"short_loops" name -> 3
    | "dfs" | "skynet" | "uts_t1" | "uts_t1l" -> 4
    | _ -> 8
  in
  if is_quick then [ least; least + 1; greatest ] else List.init (greatest - least + 1) (fun k -> least + k)

(* The names of the group, or of the benchmark if it has none, whose parties wait. With threads, a run
   takes at least 50 ms. *)
let waiting =
  [
    "channel";
    "mutex";
    "ping_pong";
    "echo";
    "wake";
    "timers";
    "select";
    "promises";
    "timers_busy";
    "ready";
    "fairness";
  ]

let is_waiting (benchmark : Benchmark.t) =
  List.mem (Option.value benchmark.group ~default:benchmark.name) waiting

(* In a quick run only the last one. *)
let some_of all = if is_quick then [ List.nth all (List.length all - 1) ] else all

let sizes_and_domains benchmark =
  if is_waiting benchmark then ((if is_quick then [ 0; 7 ] else [ 0; 1; 7 ]), some_of [ 1; 3 ])
  else (small_sizes benchmark, some_of [ 1; 3; 2 ])

let every_method_is_right_at_every_small_size (benchmark : Benchmark.t) () =
  let sizes, domains = sizes_and_domains benchmark in
  let run size =
    run_all
      {
        (Plan.of_all [ benchmark ]) with
        domains;
        cutoffs = Some (None :: some_of [ Some 1; Some 5; Some 100; Some 2 ]);
        sizes = Some [ size ];
      }
  in
  List.iter run sizes

(* Sizes at which loops and sorts do split. *)
let middle_sizes =
  [
    ("iota", 10_007);
    ("lu", 65);
    ("matmul", 67);
    ("matmul_rec", 71);
    ("reduce", 100_003);
    ("scan", 100_003);
    ("primes", 30_011);
    ("random_init", 30_011);
    ("sort_ints", 20_011);
    ("sort_floats", 20_011);
    ("sort_strings", 20_011);
    ("sort_sorted", 20_011);
    ("sort_reversed", 20_011);
    ("sort_equal", 20_011);
    ("arrays_integer_sort", 20_011);
    ("arrays_kth_smallest", 20_011);
    ("arrays_pack_index", 20_011);
    ("arrays_scan_inplace", 20_011);
    ("arrays_write_min", 20_011);
    ("arrays_merge_short", 20_011);
    ("arrays_short_searches", 20_011);
    ("arrays_counted_searches", 20_011);
    ("functions_sorted", 20_011);
    ("functions_sort_by_key", 20_011);
    ("functions_counting_sort", 20_011);
    ("functions_rank", 20_011);
    ("functions_is_sorted", 20_011);
    ("functions_minmax", 20_011);
    ("functions_min_index", 20_011);
    ("functions_pack", 20_011);
    ("functions_filteri", 20_011);
    ("functions_rotate", 20_011);
    ("functions_mismatch", 20_011);
    ("functions_scan_total", 20_011);
    ("keys_words", 20_011);
    ("keys_groups_few", 20_011);
    ("keys_groups_many", 20_011);
    ("keys_buckets", 20_011);
    ("keys_independent_set", 20_011);
    ("functions_reduce_by_index", 20_011);
    ("functions_reduce_by_key", 20_011);
    ("functions_remove_duplicates", 20_011);
    ("data_fill", 20_011);
    ("data_int8_map", 20_011);
    ("data_dot", 20_011);
    ("data_min", 20_011);
    ("data_prefix_sums", 20_011);
    ("data_merge", 20_011);
    ("data_random_at", 20_011);
    ("data_list_map", 20_011);
    ("data_zip", 20_011);
    ("data_chunks", 20_011);
    ("data_flat_map", 20_011);
    ("data_lines", 20_011);
    ("data_sum_column", 20_011);
    ("data_sort_lines", 20_011);
    ("data_long_line", 200_003);
    ("data_cholesky", 67);
    ("data_nested_loops", 7);
    ("data_pipeline_cheap", 5_003);
    ("data_pipeline_dear", 101);
    ("book_merge_sort", 20_011);
    ("book_quicksort", 20_011);
    ("book_quickhull", 20_011);
    ("book_breadth_first", 20_011);
    ("book_independent_set", 60_013);
    ("book_boruvka", 5_003);
    ("book_suffix_array", 20_011);
    ("book_nearest_neighbours", 5_003);
    ("book_fft", 13);
    ("book_word_count", 20_011);
    ("book_sparse_matrix", 20_011);
    ("book_common_subsequence", 1_013);
    ("book_sieve", 300_007);
    ("book_satisfiability", 60);
    ("book_ray_casting", 15_013);
    ("book_mandelbrot", 53);
  ]

let every_loop_is_right_where_it_splits () =
  List.iter
    (fun (name, size) ->
      let benchmark =
        List.find (fun (b : Benchmark.t) -> String.equal b.name name) (Suites.all @ Suites.large)
      in
      run_all
        {
          (Plan.of_all [ benchmark ]) with
          domains = some_of [ 1; 3; 2 ];
          cutoffs = Some [ None; Some 7 ];
          sizes = Some [ size ];
        })
    middle_sizes

let every_waiting_program_is_right_where_many_wait () =
  let run (benchmark : Benchmark.t) =
    let many = Testing.Effort.count ~quick:53 ~usual:2_003 ~long:2_003 in
    let size =
      match (benchmark.name, benchmark.group) with
      | ("wake" | "timers_late"), _ -> 50
      | _, Some ("timers_busy" | "ready" | "fairness") -> 9
      | _ -> many
    in
    run_all { (Plan.of_all [ benchmark ]) with domains = some_of [ 1; 2; 4 ]; sizes = Some [ size ] }
  in
  List.iter run (List.filter is_waiting Suites.all)

let case = Testing.Watchdog.case

let () =
  let at_small_sizes (benchmark : Benchmark.t) =
    case
      (Printf.sprintf "every method of %s is right at every small size" benchmark.name)
      (every_method_is_right_at_every_small_size benchmark)
  in
  Alcotest.run "suite runs"
    [
      ("small sizes", List.map at_small_sizes (Suites.all @ Suites.large));
      ( "larger sizes",
        [
          case "every loop is right where it splits" every_loop_is_right_where_it_splits;
          case "every waiting program is right where many wait" every_waiting_program_is_right_where_many_wait;
        ] );
    ]
