open Weft_bench_plots

let case = Testing.Watchdog.case
let row = Made.row

(* The only target whose name contains all of [parts]. *)
let target parts =
  let has (t : Targets.t) = List.for_all (fun part -> Testing.Text.contains part t.name) parts in
  match List.filter has Targets.all with
  | [ target ] -> target
  | found -> Alcotest.failf "%d targets: %s" (List.length found) (String.concat ", " parts)

let shown = Targets.verdict_name

(* [check parts rows expected values] judges the target on [rows], all of one run. *)
let check_runs ?(speaks_of_all = false) parts runs expected values =
  let target = target parts in
  let target = if speaks_of_all then target else { target with speaks_of = [] } in
  let judged = Targets.judge runs target in
  Alcotest.(check (list (float 1e-9)))
    (target.name ^ ": readings") values
    (List.map (fun (r : Targets.reading) -> r.value) judged.readings);
  Alcotest.(check string) target.name (shown expected) (shown judged.verdict)

(* Another test checks whether all of the target's benchmarks were measured. *)
let check ?speaks_of_all parts rows expected values =
  check_runs ?speaks_of_all parts [ Made.run rows ] expected values

let fib ?cutoff ?size ?domains ?peak method_ seconds =
  row ?cutoff ?size ?domains ?peak "fib" method_ [ seconds ]

let against_ocaml = [ "fib without cutoff"; "plain OCaml" ]

let a_fork_is_judged_without_cutoff_on_one_domain () =
  let others =
    [
      fib "sequential" 1.;
      fib "par" ~domains:2 9.;
      fib "par" ~cutoff:4 9.;
      fib "async" 9.;
      row "nqueens" "par" [ 9. ];
      fib "sequential" ~size:11 100.;
    ]
  in
  check against_ocaml (fib "par" 4.4 :: others) Met [ 4.4 ];
  check against_ocaml (fib "par" 4.5 :: others) Met [ 4.5 ];
  check against_ocaml (fib "par" 4.6 :: others) Not_met [ 4.6 ];
  check against_ocaml others Not_measured []

let rivals_are_compared_on_the_same_case () =
  let rows =
    [ fib "par" 2.; fib "domainslib" 30.; fib "domainslib" ~domains:2 1.; fib "domainslib" ~cutoff:3 1. ]
  in
  check [ "faster than domainslib"; "par," ] rows Met [ 15. ];
  check [ "faster than domainslib"; "async" ] rows Not_measured [];
  check [ "faster than domainslib"; "async" ] (fib "async" 10. :: rows) Not_met [ 3. ];
  check [ "rayon" ] rows Not_measured []

let rows_of_different_files_are_not_compared () =
  let one = Made.run ~source:"a" [ fib "par" 4. ] and other = Made.run ~source:"b" [ fib "sequential" 1. ] in
  check_runs against_ocaml [ one; other ] Not_measured [];
  let both = Made.run ~source:"c" [ fib "par" 5.; fib "sequential" 1. ] in
  check_runs against_ocaml
    [ one; other; both; Made.run [ fib "par" 3.; fib "sequential" 1. ] ]
    Not_met [ 5.; 3. ]

let the_worst_decides () =
  let of_bench name two = [ row name "par" [ 2. ]; row name "par" ~domains:2 [ two ] ] in
  let speed_up = [ "compute-bound" ] in
  check speed_up (of_bench "nqueens" 1.) Met [ 2. ];
  check speed_up (of_bench "nqueens" 1. @ of_bench "dfs" 1.25) Not_met [ 1.6; 2. ];
  (* scan moves memory, so it does not count; nor does a row with a forced cutoff, which a program does not
     get by default. *)
  check speed_up (of_bench "nqueens" 1. @ of_bench "scan" 2.) Met [ 2. ];
  (* skynet's fibers wait for messages, so it does not count. *)
  check speed_up
    (of_bench "skynet" 1. @ [ row "skynet" "fibers" [ 2. ]; row "skynet" "fibers" ~domains:2 [ 3. ] ])
    Met [ 2. ];
  let forced = [ row "nqueens" "par" ~cutoff:1 [ 2. ]; row "nqueens" "par" ~cutoff:1 ~domains:2 [ 2. ] ] in
  check speed_up (of_bench "nqueens" 1. @ forced) Met [ 2. ];
  check speed_up forced Not_met [ 1. ];
  (* A method that is not Weft's is not judged. *)
  check speed_up
    [ row "nqueens" "domainslib" [ 2. ]; row "nqueens" "domainslib" ~domains:2 [ 2. ] ]
    Not_measured []

let the_best_chunk_is_of_any_method () =
  let lu ?cutoff method_ seconds = row "lu" method_ ?cutoff ~domains:2 [ seconds ] in
  let rows = [ lu "loop" 1.04; lu "loop" ~cutoff:4 3.; lu "domainslib" ~cutoff:64 1.; lu "domainslib" 0.1 ] in
  check [ "best chunk" ] rows Met [ 1.04 ];
  check [ "best chunk" ] (lu "domainslib" ~cutoff:16 0.8 :: rows) Not_met [ 1.3 ];
  check [ "best chunk" ] [ lu "loop" 1. ] Not_measured []

let less_than_is_not_at_most () =
  let iota two = [ row "iota" "sequential" [ 1. ]; row "iota" "loop" ~cutoff:4 ~domains:2 [ two ] ] in
  check [ "chunk 4" ] (iota 0.99) Met [ 0.99 ];
  check [ "chunk 4" ] (iota 1.) Not_met [ 1. ]

let crowds_are_judged_on_two_processors () =
  let rows = [ row "crowded_fib" "par" ~domains:2 [ 1. ]; row "crowded_fib" "par" ~domains:8 [ 1.05 ] ] in
  check [ "every benchmark"; "8 domains against 2" ] rows Met [ 1.05 ];
  let on_eight = { (Made.run rows) with header = Made.header ~processors:8 () } in
  check_runs [ "every benchmark"; "8 domains against 2" ] [ on_eight ] Not_measured []

let figures_are_judged_by_their_median () =
  let wake values = row "wake" "submit" ~domains:2 ~figures:[ ("wake median us", values) ] [ 1.; 1.; 1. ] in
  check [ "parked pool"; "median" ] [ wake [ 90.; 20.; 25. ] ] Met [ 25. ];
  check [ "parked pool"; "median" ] [ wake [ 26.; 20.; 27. ] ] Not_met [ 26. ];
  check [ "parked pool"; "99th" ] [ wake [ 1. ] ] Not_measured [];
  check [ "an idle pool"; "processor time" ]
    [ row "idle_cpu" "weft" ~domains:8 ~figures:[ ("CPU %", [ 0.1 ]) ] [ 1. ] ]
    Not_met [ 0.1 ];
  check [ "METG" ] [ row "metg" "par" ~domains:2 ~figures:[ ("METG ns", [ 55. ]) ] [ 1. ] ] Met [ 55. ];
  let channel method_ rate =
    row "channel_1_1_unbounded" method_ ~domains:2 ~figures:[ ("messages/s", [ rate ]) ] [ 1. ]
  in
  check [ "channels" ] [ channel "fibers" 9e6; channel "domainslib" 3e6 ] Met [ 3. ];
  check [ "channels" ] [ channel "fibers" 9e6; channel "domainslib" 0. ] Not_measured []

let every_row_of_a_full_pool_counts () =
  let late bench method_ domains p99 =
    row bench method_ ~domains
      ~figures:[ ("late median us", [ p99 /. 10. ]); ("late p99 us", [ p99 ]) ]
      [ 1. ]
  in
  let ready = [ late "ready_forks" "body" 1 20e3; late "ready_forks" "task" 8 9e3 ] in
  let target = [ "becomes ready"; "99th" ] in
  check target ready Met [ 20e3; 9e3 ];
  check target (late "ready_sorts" "timer" 2 21e3 :: ready) Not_met [ 21e3; 20e3; 9e3 ];
  check ~speaks_of_all:true target ready Partly_measured [ 20e3; 9e3 ];
  check [ "from a thread outside"; "median" ] ready Met [ 900. ];
  check [ "from a thread outside"; "99th" ] ready Met [ 9e3 ];
  check [ "sleeps and time-outs" ] [ late "timers_busy_awaits" "fibers" 1 2e3 ] Met [ 2e3 ];
  let shares ratio = row "fairness_10" "yield" ~domains:8 ~figures:[ ("max/min", [ ratio ]) ] [ 1. ] in
  check [ "turns of the first" ] [ shares 1.5 ] Met [ 1.5 ];
  check [ "turns of the first" ] [ shares 1.6; shares 1.1 ] Not_met [ 1.6; 1.1 ]

let small_work_is_judged_as_its_table_says () =
  let two ?ns_per_fork ?size ?figures bench method_ seconds =
    row bench method_ ~domains:2 ?ns_per_fork ?size ?figures [ seconds ]
  in
  let fork = two "fib" "par" ~size:36 ~ns_per_fork:10. in
  check [ "small_trees 14" ] [ two "small_trees" "par" ~size:14 ~ns_per_fork:16. 1.; fork 1. ] Not_met [ 1.6 ];
  check [ "small_trees 14" ] [ two "small_trees" "par" ~size:12 ~ns_per_fork:16. 1.; fork 1. ] Not_measured [];
  check [ "time against par" ]
    [ fib "async" 3.; fib "par" 2.; fib "par" ~domains:2 1.; fib "par" ~size:11 1. ]
    Met [ 1.5 ];
  check [ "chili" ] [ fib "par" ~domains:2 3.; fib "chili" ~domains:2 2.; fib "chili" 9. ] Not_met [ 1.5 ];
  (* The processor time of a made row is its time. *)
  let loops ?size bench own = [ row bench "sequential" ?size [ 2. ]; two bench "loop" ?size own ] in
  check
    [ "short_loops 15"; "processor time" ]
    (loops "short_loops" ~size:15 3. @ loops "short_loops" ~size:85 9.)
    Not_met [ 1.5 ];
  check [ "short_loops_gaps_1ms"; "processor time" ] (loops "short_loops_gaps_1ms" 2.) Met [ 1. ];
  let locks method_ ns = two "mutex_section_0" method_ ~figures:[ ("ns/lock", [ ns ]) ] 1. in
  check [ "OCaml's Mutex" ] [ locks "fibers" 60.; locks "stdlib" 30. ] Met [ 2. ];
  let wait seconds =
    row "mutex_section_0" "fibers" ~domains:8 ~figures:[ ("wait max us", [ 11e3 ]) ] [ seconds ]
  in
  check [ "the longest wait" ] [ wait 59. ] Not_measured [];
  check [ "the longest wait" ] [ wait 61. ] Not_met [ 11e3 ];
  let late method_ = row "timers_late" method_ ~figures:[ ("CPU/wait us", [ 7. ]) ] [ 1. ] in
  check [ "wait of a millisecond" ] [ late "fibers"; late "select"; late "threads" ] Met [ 7.; 7. ];
  let slept size = row "timers_sleep" "fibers" ~size ~figures:[ ("late max us", [ 9e4 ]) ] [ 1. ] in
  check [ "how late the last wakes" ] [ slept 100_000; slept 1_000 ] Not_met [ 9e4 ]

let memory_is_judged_by_peaks () =
  let rows peak = [ fib "sequential" ~peak:100 1.; fib "par" ~domains:2 ~peak 1. ] in
  check [ "peak memory" ] (rows 150) Met [ 1.5 ];
  check [ "peak memory" ] (rows 151) Not_met [ 1.51 ];
  check [ "peak memory" ] [ fib "sequential" 1.; fib "par" ~domains:2 1. ] Not_measured []

let the_rest_is_judged_as_it_says () =
  let sort domains seconds = row "sort_ints" "array" ~domains [ seconds ] in
  let rows = [ row "sort_ints" "sequential" [ 1. ]; sort 1 1.04; sort 2 0.5 ] in
  check [ "sort on 1 domain" ] rows Met [ 1.04 ];
  check [ "sort on 2 domains" ] rows Met [ 2. ];
  check [ "uts T3L" ] [ row "uts_t3l" "par" ~size:2000 [ 1. ] ] Met [ 1. ];
  check [ "uts T3L" ] [ row "uts_t3l" "par" ~size:20 [ 1. ] ] Not_measured [];
  check [ "uts T3L" ] [ row "uts_t3l" "sequential" [ 1. ] ] Not_measured [];
  check [ "beside an idle pool" ]
    [ row "idle_slowdown" "no-pool" [ 1. ]; row "idle_slowdown" "weft" ~domains:8 [ 1.03 ] ]
    Not_met [ 1.03 ];
  check [ "par: 2 domains against 1" ] [ fib "par" 2.; fib "par" ~domains:2 1. ] Met [ 2. ]

(* {1 Whether all was measured} *)

let one_of_many_is_not_all () =
  let sort bench = [ row bench "sequential" [ 1. ]; row bench "array" [ 1.04 ] ] in
  let on_one = [ "sort on 1 domain" ] in
  let all = (target on_one).speaks_of in
  Alcotest.(check bool) "several" true (List.length all > 3);
  check ~speaks_of_all:true on_one (List.concat_map sort all) Met (List.map (fun _ -> 1.04) all);
  let some = List.tl all in
  let rows = List.concat_map sort some in
  check ~speaks_of_all:true on_one rows Partly_measured (List.map (fun _ -> 1.04) some);
  let judged = Targets.judge [ Made.run rows ] (target on_one) in
  let n = List.length all in
  Alcotest.(check string)
    "says which are not"
    (Printf.sprintf "%d of %d benchmarks measured; not %s" (n - 1) n (List.hd all))
    (Targets.coverage_text judged);
  (* What was measured may be enough to show that the target is missed. *)
  check ~speaks_of_all:true on_one
    [ row (List.hd all) "sequential" [ 1. ]; row (List.hd all) "array" [ 2. ] ]
    Not_met [ 2. ];
  check ~speaks_of_all:true on_one [] Not_measured [];
  let of_many = { (target on_one) with speaks_of = List.init 9 (Printf.sprintf "b%d") @ [ List.hd some ] } in
  Alcotest.(check string)
    "of many, the first" "1 of 10 benchmarks measured; not b0, b1, b2, b3, b4, b5, and 3 more"
    (Targets.coverage_text (Targets.judge [ Made.run rows ] of_many));
  Alcotest.(check string) "nothing to say" "" (Targets.coverage_text (Targets.judge [] (target on_one)))

(* A case of [weft bench elastic] counts for the benchmark that it runs. *)
let every_benchmark_can_be_measured () =
  let names benchmarks = List.map (fun (b : Weft_bench_harness.Benchmark.t) -> b.name) benchmarks in
  let known =
    names Weft_bench_suites.Suites.all @ names Weft_bench_batch.Batch_suites.all @ [ "alloc"; "compute" ]
  in
  let of_target (t : Targets.t) =
    List.iter
      (fun bench -> Alcotest.(check bool) (t.name ^ ": " ^ bench) true (List.mem bench known))
      t.speaks_of
  in
  List.iter of_target Targets.all;
  let crowded = target [ "8 domains against 2"; "every" ] in
  Alcotest.(check bool) "those that wait have no place there" false (List.mem "wake" crowded.speaks_of);
  let rows = [ row "crowded_sort" "array" ~domains:2 [ 1. ]; row "crowded_sort" "array" ~domains:8 [ 1. ] ] in
  let { Targets.unmeasured; _ } = Targets.judge [ Made.run rows ] crowded in
  Alcotest.(check (list string))
    "a case of elastic"
    (List.filter (( <> ) "sort_ints") crowded.speaks_of)
    unmeasured

(* {1 METG} *)

let metg figures = row "metg" "par" ~domains:2 ~figures [ 1. ]

let never_half_efficient_is_not_met () =
  check [ "METG" ]
    [ metg [ ("% 10ns", [ 1. ]); ("% 1us", [ 20. ]); ("% 1ms", [ 49. ]) ] ]
    Not_met [ infinity ];
  let judged = Targets.judge [ Made.run [ metg [ ("% 1ms", [ 49. ]) ] ] ] (target [ "METG" ]) in
  Alcotest.(check string)
    "text" "none (metg 10, no cutoff, par, 2 domains)"
    (Targets.reading_text ~unit_:"ns" (List.hd judged.readings));
  (* It is half efficient in most runs, but not in all: the medians decide. *)
  check [ "METG" ]
    [ metg [ ("% 10ns", [ 5.; 20.; 25. ]); ("% 40ns", [ 10.; 50.; 50. ]); ("% 1ms", [ 40.; 90.; 90. ]) ] ]
    Not_met [ 80. ];
  check [ "METG" ] [ metg [] ] Not_measured []

let more_work_than_time_does_not_count () =
  let doubtful =
    metg [ ("METG ns", [ 12. ]); ("% 10ns", [ 48. ]); ("% 20ns", [ 131. ]); ("% 1ms", [ 99. ]) ]
  in
  check [ "METG" ] [ doubtful ] Not_measured [ 12. ];
  let judged = Targets.judge [ Made.run [ doubtful ] ] (target [ "METG" ]) in
  Alcotest.(check string)
    "says why"
    "12.0 ns (metg 10, no cutoff, par, 2 domains); does not count: 131 % of the time is work of tasks of \
     20.0 ns: the work by itself was measured wrong"
    (Targets.reading_text ~unit_:"ns" (List.hd judged.readings));
  check [ "METG" ] [ metg [ ("METG ns", [ 50. ]); ("% 10ns", [ 109. ]) ] ] Met [ 50. ];
  (* Of two figures, the certain one decides, and is shown first. *)
  check_runs [ "METG" ]
    [ Made.run [ doubtful ]; Made.run [ metg [ ("METG ns", [ 70. ]) ] ] ]
    Not_met [ 70.; 12. ]

(* {1 Elastic pools and batches} *)

let crowds_are_judged_beside_nothing_else () =
  let rows bench = [ row bench "weft" ~domains:2 [ 1. ]; row bench "weft" ~domains:8 [ 1.5 ] ] in
  check [ "every benchmark"; "8 domains against 2" ] (rows "neighbour_alloc") Not_measured [];
  check [ "keeps one processor busy" ] (rows "neighbour_alloc") Not_met [ 1.5 ];
  check [ "keeps one processor busy" ] (rows "crowded_alloc") Not_measured [];
  check [ "CPU quota of one processor" ] (rows "quota_1_alloc") Not_met [ 1.5 ];
  check [ "one and a half" ] (rows "quota_1_5_alloc") Not_met [ 1.5 ];
  check [ "in another process" ] (rows "twin_compute") Not_met [ 1.5 ];
  check [ "16 domains against 2" ]
    [ row "crowded_fib" "par" ~domains:2 [ 1. ]; row "crowded_fib" "par" ~domains:16 [ 1.1 ] ]
    Met [ 1.1 ]

let figures_of_pools_are_judged () =
  let weft bench title value = row bench "weft" ~domains:8 ~figures:[ (title, [ value ]) ] [ 1. ] in
  check [ "eight tasks" ] [ weft "burst_after_250ms" "extra all us" 140. ] Met [ 140. ];
  check [ "eight tasks" ] [ weft "burst_after_1ms" "extra all us" 140. ] Not_measured [];
  check [ "rested for 20 ms" ] [ weft "bursts_after_20ms" "second domain median us" 61. ] Not_met [ 61. ];
  let loops domains seconds = row "crowded_loops_2_10us" "weft" ~domains [ seconds ] in
  check [ "beside 2 busy" ] [ loops 1 1.; loops 2 1.04 ] Met [ 1.04 ];
  check [ "beside 1 busy" ] [ loops 1 1.; loops 2 1.04 ] Not_measured [];
  check [ "every millisecond" ] [ weft "every_ms" "beyond %" 2.5 ] Not_met [ 2.5 ];
  check [ "events are written" ] [ weft "events" "% more" 0.9 ] Met [ 0.9 ];
  check [ "events are written" ] [ weft "events" "% more" 1. ] Not_met [ 1. ]

let batches_are_judged_as_their_table_says () =
  let of_ ?(bench = "batch_avl_insert") ?(size = 1_000_000) ?figures method_ domains seconds =
    row bench method_ ~domains ~size ?figures [ seconds ]
  in
  let rows =
    [ of_ "sequential" 1 3.; of_ "coarse" 1 4.; of_ "coarse" 2 6.; of_ "batched" 1 4.; of_ "batched" 2 2. ]
  in
  check [ "adds, 1 domain"; "behind a lock" ] rows Met [ 1. ];
  check [ "adds, 2 domains"; "behind a lock" ] rows Met [ 3. ];
  check [ "adds, 2 domains"; "sequential program" ] rows Met [ 1.5 ];
  check [ "searches, 1 domain" ] rows Not_measured [];
  check [ "every batched structure" ] rows Met [ 1. ];
  let counter = of_ ~bench:"batch_counter" in
  let words x = [ ("words/op", [ x ]) ] in
  let rows =
    [
      counter "unlocked" 1 0.010 ~figures:(words 14.);
      counter "coarse" 1 0.040;
      counter "batched" 1 0.035 ~figures:(words 14.05);
      counter "batched" 2 0.5 ~figures:(("% in place", [ 50. ]) :: words 22.);
      counter "coarse" 2 0.5;
    ]
  in
  check [ "lone caller"; "time" ] rows Met [ 25. ];
  check [ "lone caller"; "words" ] rows Met [ 0.05 ];
  check [ "lines up" ] rows Not_met [ 16. ];
  check [ "a counter, any" ] rows Met [ 1.; 0.04 /. 0.035 ];
  let skip = of_ ~bench:"batch_skip_list_insert" in
  check [ "skip list" ] [ skip "batched" 2 1.; skip "lockfree" 2 0.5 ] Not_met [ 0.5 ];
  let bulk = of_ ~bench:"batch_avl_bulk" in
  check [ "at once" ] [ bulk "batched" 1 1.; bulk "sequential" 1 2. ] Met [ 2. ];
  let datalog = of_ ~bench:"batch_datalog" in
  check [ "Datalog" ] [ datalog "batched" 2 1.; datalog "coarse" 2 1.6 ] Not_met [ 1.6 ]

let every_target_says_how_to_measure_it () =
  let count = List.length Targets.all in
  Alcotest.(check int) "how many" 86 count;
  let names = List.map (fun (t : Targets.t) -> t.name) Targets.all in
  Alcotest.(check int) "names differ" count (List.length (List.sort_uniq compare names));
  let is_command (t : Targets.t) =
    List.exists (fun prefix -> String.starts_with ~prefix t.command) [ "weft bench "; "make rivals" ]
  in
  Alcotest.(check bool) "commands" true (List.for_all is_command Targets.all)

let a_number_that_is_none_is_never_met () =
  Alcotest.(check bool) "at most" false (Targets.within (At_most 1.) nan);
  Alcotest.(check bool) "at least" false (Targets.within (At_least 1.) nan);
  check against_ocaml [ fib "sequential" 0.; fib "par" 0. ] Not_met [ nan ]

let tests =
  [
    case "a fork is judged without cutoff on one domain" a_fork_is_judged_without_cutoff_on_one_domain;
    case "rivals are compared on the same case" rivals_are_compared_on_the_same_case;
    case "rows of different files are not compared" rows_of_different_files_are_not_compared;
    case "the worst decides" the_worst_decides;
    case "the best chunk is of any method" the_best_chunk_is_of_any_method;
    case "less than is not at most" less_than_is_not_at_most;
    case "crowds are judged on two processors" crowds_are_judged_on_two_processors;
    case "figures are judged by their median" figures_are_judged_by_their_median;
    case "every row of a full pool counts" every_row_of_a_full_pool_counts;
    case "small work is judged as its table says" small_work_is_judged_as_its_table_says;
    case "memory is judged by peaks" memory_is_judged_by_peaks;
    case "one of many benchmarks is not all" one_of_many_is_not_all;
    case "every benchmark that a target speaks of can be measured" every_benchmark_can_be_measured;
    case "never half efficient is not met" never_half_efficient_is_not_met;
    case "more work than time does not count" more_work_than_time_does_not_count;
    case "crowds are judged beside nothing else" crowds_are_judged_beside_nothing_else;
    case "figures of pools are judged" figures_of_pools_are_judged;
    case "batches are judged as their table says" batches_are_judged_as_their_table_says;
    case "the rest is judged as it says" the_rest_is_judged_as_it_says;
    case "every target says how to measure it" every_target_says_how_to_measure_it;
    case "what is no number is never met" a_number_that_is_none_is_never_met;
  ]
