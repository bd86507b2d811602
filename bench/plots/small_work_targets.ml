open Weft_bench_harness
open Target
open Readings

let sprintf = Printf.sprintf
let of_size n (row : Row.t) = row.size = n
let on_two name command = sprintf "weft bench %s --domains 2%s" name command

(* --- steals --- *)

let steal =
  let choice =
    all_of [ bench "steal"; (fun row -> List.mem row.method_ [ "victim-forks"; "victim-allocates" ]) ]
  in
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

let all = steal @ short_loops @ [ never_slower ] @ lu @ independent_tasks
