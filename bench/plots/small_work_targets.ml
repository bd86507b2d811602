open Weft_bench_harness
open Target
open Readings

let sprintf = Printf.sprintf
let of_size n (row : Row.t) = row.size = n
let one_of_methods names (row : Row.t) = List.mem row.method_ names
let on_two name command = sprintf "weft bench %s --domains 2%s" name command

(* --- steals --- *)

let steal =
  let choice = all_of [ bench "steal"; one_of_methods [ "victim-forks"; "victim-allocates" ] ] in
  let of_steal what bound title =
    make
      (sprintf "a steal, from a victim that forks or allocates: %s" what)
      ~unit_:"us" (At_most bound) (on_two "steal" "") (of_figure title choice)
  in
  [
    of_steal "the thief waits, median" 0.8 "wait median us";
    of_steal "the thief waits, 99th percentile" 5. "wait p99 us";
    of_steal "the victim loses, median" 0.3 "loss median us";
  ]

(* --- time against the sequential program --- *)

let against_sequential name ~method_ ~size bound =
  make
    (sprintf "%s %d, %s, 2 domains: time against the sequential program" name size method_)
    (At_most bound)
    (on_two name (sprintf " --size %d" size))
    (against (all_of [ bench name; of_method method_; of_size size; on 2 ]) sequential times)

let short_loops =
  List.map
    (fun (us, bound) -> against_sequential "short_loops" ~method_:"loop" ~size:us bound)
    [ (2, 1.); (5, 0.8); (10, 0.66); (20, 0.58); (50, 0.55); (100, 0.53); (200, 0.52) ]

let lu =
  List.map
    (fun (rows, bound) -> against_sequential "lu" ~method_:"loop" ~size:rows bound)
    [ (100, 1.); (200, 0.75); (400, 0.62); (700, 0.56) ]

let never_slower =
  let names =
    List.filter (( <> ) "short_loops")
      (List.map (fun (b : Benchmark.t) -> b.name) Weft_bench_suites.Short_loops.benchmarks)
  in
  make "short loops with gaps, or uneven: time against the sequential program" (At_most 1.05) ~speaks_of:names
    "weft bench short_loops_gaps short_loops_uneven --domains 2"
    (against (all_of [ one_of names; of_method "loop"; on 2 ]) sequential times)

let independent_tasks =
  List.map
    (fun (us, bound) ->
      make
        (sprintf "independent tasks of %d us, async: 2 domains against 1, times faster" us)
        (At_least bound)
        (sprintf "weft bench independent_tasks --size %d --domains 1,2" us)
        (against
           (all_of [ bench "independent_tasks"; of_method "async"; of_size us; on 2 ])
           (same_on 1) times_faster))
    [ (2, 1.4); (8, 1.85); (32, 1.95) ]

(* --- forks --- *)

let uncut_fib method_ = all_of [ bench "fib"; uncut; of_method method_ ]

let small_trees =
  make "a fork of small_trees 14, par, 2 domains: time against one of fib without cutoff" (At_most 1.5)
    "weft bench small_trees fib --method par --domains 2"
    (times_a_fork
       (all_of [ bench "small_trees"; of_method "par"; of_size 14; on 2 ])
       (fun _ other -> uncut_fib "par" other && on 2 other && other.size > 30))

let promises =
  let par (row : Row.t) (other : Row.t) =
    uncut_fib "par" other && other.size = row.size && other.domains = row.domains
  in
  make "fib without cutoff, async and await: time against par" (At_most 2.)
    "weft bench fib --cutoff none --method par,async --domains 1,2"
    (against (uncut_fib "async") par times)

let chili =
  make "fib without cutoff, par, 2 domains: time against chili (Rust)" (At_most 1.2)
    "make rivals && weft bench fib --cutoff none --method par,chili --domains 2"
    (against (all_of [ uncut_fib "par"; on 2 ]) (rival "chili") times)

(* --- processor time --- *)

let processor_time =
  let of_ name ?size bound =
    let shown, option, with_size =
      match size with
      | None -> ("", "", Fun.const true)
      | Some n -> (sprintf " %d" n, sprintf " --size %d" n, of_size n)
    in
    make
      (sprintf "%s%s, 2 domains: processor time against the sequential program" name shown)
      (At_most bound) (on_two name option)
      (cpu_ratio (all_of [ bench name; of_method "loop"; on 2; with_size ]))
  in
  [ of_ "short_loops" ~size:15 1.4; of_ "short_loops" ~size:85 1.15; of_ "short_loops_gaps_1ms" 1.1 ]

(* --- waiting --- *)

let mutex =
  make "a mutex held for a moment, 2 domains: time of a lock against OCaml's Mutex" (At_most 3.)
    (on_two "mutex_section_0" "")
    (times_the_rate "ns/lock" (all_of [ bench "mutex_section_0"; of_method "fibers"; on 2 ]) (rival "stdlib"))

let long_run (row : Row.t) = row.median >= 60.

let longest_wait =
  make "a mutex held for a moment, 8 domains, for a minute: the longest wait" ~unit_:"us" (At_most 10_000.)
    "weft bench mutex_section_0 --method fibers --domains 8 --size 1500000000 --runs 1"
    (of_figure "wait max us" (all_of [ bench "mutex_section_0"; of_method "fibers"; on 8; long_run ]))

let timed_wait =
  make "a wait of a millisecond, sleep or select with a time-out: processor time" ~unit_:"us" (At_most 8.)
    "weft bench timers_late --domains 1,2"
    (of_figure "CPU/wait us" (all_of [ bench "timers_late"; one_of_methods [ "fibers"; "select" ] ]))

let sleepers =
  make "100,000 fibers that sleep: how late the last wakes" ~unit_:"us" (At_most 20_000.)
    "weft bench timers_sleep --domains 1,2"
    (of_figure "late max us" (all_of [ bench "timers_sleep"; of_size 100_000 ]))

let all =
  steal @ short_loops @ (never_slower :: processor_time) @ lu @ independent_tasks
  @ [ small_trees; promises; chili; mutex; longest_wait; timed_wait; sleepers ]
