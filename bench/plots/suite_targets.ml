open Weft_bench_harness
open Target
open Readings

let sprintf = Printf.sprintf
let fib_uncut method_ = all_of [ bench "fib"; uncut; of_method method_ ]
let fib_command = "weft bench fib --cutoff none --domains 1,2 --runs 11"

let fork =
  make "fib without cutoff, par, 1 domain: time against plain OCaml" ~goal:(At_most 2.9) (At_most 4.5)
    fib_command
    (against (all_of [ fib_uncut "par"; on 1 ]) sequential times)

(* Each rival has its method, its name and its bound. *)
let against_rivals =
  let against_rival command (method_, name, least) =
    make
      (sprintf "fib without cutoff, par, 1 domain: times faster than %s" name)
      (At_least least) (command name)
      (against (all_of [ fib_uncut "par"; on 1 ]) (rival method_) times_faster)
  in
  let built _ = "make rivals && " ^ fib_command
  and not_built name =
    sprintf "%s  # once there is a program of %s: 'make rivals' builds none" fib_command name
  in
  List.map (against_rival built)
    [
      ("domainslib", "domainslib", 10.);
      ("moonpool-ws", "moonpool (work stealing)", 25.);
      ("rayon", "rayon (Rust)", 1.3);
      ("tbb", "oneTBB (C++)", 10.);
    ]
  @ List.map (against_rival not_built)
      [ ("parabs", "parabs", 4.); ("par-ml", "par-ml", 1.5); ("libfork", "libfork (C++)", 2.) ]

let two_workers =
  make "fib without cutoff, par: 2 domains against 1, times faster" (At_least 1.85) fib_command
    (against (all_of [ fib_uncut "par"; on 2 ]) (same_on 1) times_faster)

let promises =
  make "fib without cutoff, async and await: times faster than domainslib" (At_least 5.)
    ("make rivals && " ^ fib_command)
    (against (fib_uncut "async") (rival "domainslib") times_faster)

let loops = [ "iota"; "for_irregular"; "lu"; "matmul" ]

let default_chunks =
  make ~speaks_of:loops
    "iota, for_irregular, lu, matmul: the default setting against the best chunk by hand of any method in \
     OCaml"
    (At_most 1.05)
    "weft bench iota for_irregular lu matmul --cutoff default,1,4,16,64,256,1024,4096,16384 --domains 1,2"
    (times_the_best_chunk (all_of [ one_of loops; (fun row -> row.domains <= 2) ]))

let small_chunks =
  make "iota with chunk 4, 2 domains: time against the sequential loop" (Less_than 1.)
    "weft bench iota --cutoff 4 --domains 2"
    (against
       (all_of [ bench "iota"; of_method "loop"; on 2; (fun row -> row.cutoff = Some 4) ])
       sequential times)

(* The benchmarks that neither wait nor only move memory. *)
let computes bench =
  List.mem bench
    [
      "fib";
      "for_irregular";
      "lu";
      "matmul";
      "matmul_rec";
      "dfs";
      "nqueens";
      "integrate";
      "primes";
      "skynet";
      "random_init";
    ]
  || List.exists (fun prefix -> String.starts_with ~prefix bench) [ "uts_"; "sort_" ]

(* The method [fibers] waits at channels, as in [skynet]. *)
let compute_bound (row : Row.t) = computes row.bench && not (String.equal row.method_ "fibers")
let judged_like prefix = List.filter (String.starts_with ~prefix) Known.judged

let speed_up =
  make "every compute-bound benchmark: 2 domains against 1, times faster" (At_least 1.9)
    ~speaks_of:(List.filter computes Known.judged) "weft bench all --domains 1,2" (fun run ->
      against (all_of [ ours; on 2; compute_bound; usual run ]) (same_on 1) times_faster run)

let wake name least title =
  make
    (sprintf "a job submitted to a parked pool: until it starts, %s" name)
    ~unit_:"us" (At_most least) "weft bench wake --domains 2"
    (of_figure title (all_of [ bench "wake"; of_method "submit"; on 2 ]))

let memory =
  make "fib, uts: peak memory on 2 domains against the sequential program" ~goal:(At_most 1.3) (At_most 1.5)
    ~speaks_of:("fib" :: judged_like "uts_") "weft bench fib uts --domains 2" (fun run ->
      let choice row = bench "fib" row || named_like "uts_" row in
      times_the_memory (all_of [ ours; on 2; usual run; choice ]) run)

(* The children of the root; smaller trees of the same kind are not as deep. *)
let t3l_children = 2000

let deep =
  make "uts T3L, 17,844 deep: runs with the right result and no stack overflow" ~unit_:"run" (At_least 1.)
    "weft bench uts_t3l"
    (number_of (all_of [ bench "uts_t3l"; ours; (fun row -> row.size = t3l_children) ]))

let metg =
  make "METG(50 %) on 2 domains, a tree of equal tasks by par" ~unit_:"ns" (At_most 60.)
    "weft bench metg --domains 2"
    (least_task (all_of [ bench "metg"; of_method "par"; on 2 ]))

let channels =
  make "channels, 1-1 and n-n: messages a second against domainslib's" (At_least 3.)
    ~speaks_of:(judged_like "channel_") "make rivals && weft bench channel --domains 2"
    (times_the_rate "messages/s" (all_of [ named_like "channel_"; of_method "fibers" ]) (rival "domainslib"))

let sort_alone =
  make "sort on 1 domain: time against Array.stable_sort" (At_most 1.05) "weft bench sort --domains 1"
    ~speaks_of:(judged_like "sort_")
    (against (all_of [ named_like "sort_"; ours; on 1 ]) sequential times)

let sort_shared =
  make "sort on 2 domains: times faster than Array.stable_sort" (At_least 1.8) "weft bench sort --domains 2"
    ~speaks_of:(judged_like "sort_")
    (against (all_of [ named_like "sort_"; ours; on 2 ]) sequential times_faster)

(* {1 Full pools} *)

let names_of benchmarks = List.map (fun (b : Benchmark.t) -> b.name) benchmarks

(* Every row counts: each method, each kind of work that fills the pool, each number of domains. *)
let in_each_row group benchmarks name ?unit_ bound title =
  let names = names_of benchmarks in
  make name ?unit_ (At_most bound) ~speaks_of:names
    (sprintf "weft bench %s --domains 1,2,8" group)
    (of_figure title (one_of names))

let ms = 1_000.

let from_outside what bound title =
  make
    (sprintf "a task from a thread outside, in a pool full of forks: until it starts, %s" what)
    ~unit_:"us" (At_most bound) "weft bench ready_forks --method task --domains 1,2,8"
    (of_figure title (all_of [ bench "ready_forks"; of_method "task" ]))

let full_pools =
  Weft_bench_suites.
    [
      in_each_row "timers_busy" Timers_busy.benchmarks ~unit_:"us"
        "sleeps and time-outs in full pools: how late, 99th percentile" (20. *. ms) "late p99 us";
      in_each_row "ready" Ready.benchmarks ~unit_:"us"
        "what becomes ready in full pools: until it runs, 99th percentile" (20. *. ms) "late p99 us";
      from_outside "median" (1. *. ms) "late median us";
      from_outside "99th percentile" (10. *. ms) "late p99 us";
      in_each_row "fairness" Fairness.benchmarks
        "fibers that share a pool: turns of the first against the last" 1.5 "max/min";
    ]

let all =
  (fork :: against_rivals)
  @ [
      two_workers;
      promises;
      default_chunks;
      small_chunks;
      speed_up;
      wake "median" 25. "wake median us";
      wake "99th percentile" 100. "wake p99 us";
      memory;
      deep;
      metg;
      channels;
      sort_alone;
      sort_shared;
    ]
  @ full_pools
