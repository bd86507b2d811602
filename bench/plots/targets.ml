open Weft_bench_harness
open Readings

let sprintf = Printf.sprintf

type bound = At_most of float | Less_than of float | At_least of float
type reading = Readings.t = { what : string; value : float; source : string }

type t = {
  name : string;
  bound : bound;
  unit_ : string;
  goal : bound option;
  command : string;
  readings : Run.t -> reading list;
}

type verdict = Met | Not_met | Not_measured
type judged = { target : t; readings : reading list; verdict : verdict }

(* {1 The targets} *)

let target ?goal ?(unit_ = "x") name bound command readings = { name; bound; unit_; goal; command; readings }
let fib_uncut method_ = all_of [ bench "fib"; uncut; of_method method_ ]
let fib_command = "weft bench fib --cutoff none --domains 1,2 --runs 11"

let fork =
  target "fib without cutoff, par, 1 domain: time against plain OCaml" ~goal:(At_most 3.5) (At_most 4.5)
    fib_command
    (against (all_of [ fib_uncut "par"; on 1 ]) sequential times)

(* Under the names of their methods. *)
let against_rivals =
  let against_rival command (method_, name, least) =
    target
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
  target "fib without cutoff, par: 2 domains against 1, times faster" (At_least 1.85) fib_command
    (against (all_of [ fib_uncut "par"; on 2 ]) (same_on 1) times_faster)

let promises =
  target "fib without cutoff, async and await: times faster than domainslib" (At_least 5.)
    ("make rivals && " ^ fib_command)
    (against (fib_uncut "async") (rival "domainslib") times_faster)

let loops = [ "iota"; "for_irregular"; "lu"; "matmul" ]

let default_chunks =
  target
    "iota, for_irregular, lu, matmul: the default setting against the best chunk by hand of any method in \
     OCaml"
    (At_most 1.05)
    "weft bench iota for_irregular lu matmul --cutoff default,1,4,16,64,256,1024,4096,16384 --domains 1,2"
    (times_the_best_chunk (all_of [ one_of loops; (fun row -> row.domains <= 2) ]))

let small_chunks =
  target "iota with chunk 4, 2 domains: time against the sequential loop" (Less_than 1.)
    "weft bench iota --cutoff 4 --domains 2"
    (against
       (all_of [ bench "iota"; of_method "loop"; on 2; (fun row -> row.cutoff = Some 4) ])
       sequential times)

(* Those that neither wait nor only move memory. *)
let compute_bound (row : Row.t) =
  one_of
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
    row
  || named_like "uts_" row || named_like "sort_" row

let speed_up =
  target "every compute-bound benchmark: 2 domains against 1, times faster" (At_least 1.9)
    "weft bench all --domains 1,2" (fun run ->
      against (all_of [ ours; on 2; compute_bound; usual run ]) (same_on 1) times_faster run)

let crowded =
  target "every benchmark: time on 8 domains against 2, with 2 processors" (At_most 1.1)
    "weft bench all --domains 2,8 && weft bench elastic --case crowded --domains 2,8" (fun run ->
      match Run.processors run with
      | Some 2 | None -> against (all_of [ ours; on 8; usual run ]) (same_on 2) times run
      | Some _ -> [])

let idle_cpu =
  target "an idle pool of 8: processor time" ~unit_:"%" (Less_than 0.1) "weft bench elastic --case idle_cpu"
    (of_figure "CPU %" (all_of [ bench "idle_cpu"; of_method "weft" ]))

let idle_slowdown =
  target "a sequential program that allocates, beside an idle pool of 8: time against without" (At_most 1.02)
    "weft bench elastic --case idle_slowdown"
    (against (all_of [ bench "idle_slowdown"; of_method "weft" ]) sequential times)

let wake name least title =
  target
    (sprintf "a job submitted to a parked pool: until it starts, %s" name)
    ~unit_:"us" (At_most least) "weft bench wake --domains 2"
    (of_figure title (all_of [ bench "wake"; of_method "submit"; on 2 ]))

let memory =
  target "fib, uts: peak memory on 2 domains against the sequential program" (At_most 1.5)
    "weft bench fib uts --domains 2" (fun run ->
      let choice row = bench "fib" row || named_like "uts_" row in
      times_the_memory (all_of [ ours; on 2; usual run; choice ]) run)

(* Those of the root; smaller trees of the same kind are not as deep. *)
let t3l_children = 2000

let deep =
  target "uts T3L, 17,844 deep: runs with the right result and no stack overflow" ~unit_:"run" (At_least 1.)
    "weft bench uts_t3l"
    (number_of (all_of [ bench "uts_t3l"; ours; (fun row -> row.size = t3l_children) ]))

let metg =
  target "METG(50 %) on 2 domains, a tree of equal tasks by par" ~unit_:"ns" (At_most 60.)
    "weft bench metg --domains 2"
    (of_figure "METG ns" (all_of [ bench "metg"; of_method "par"; on 2 ]))

let channels =
  target "channels, 1-1 and n-n: messages a second against domainslib's" (At_least 3.)
    "make rivals && weft bench channel --domains 2"
    (times_the_rate "messages/s" (all_of [ named_like "channel_"; of_method "fibers" ]) (rival "domainslib"))

let sort_alone =
  target "sort on 1 domain: time against Array.stable_sort" (At_most 1.05) "weft bench sort --domains 1"
    (against (all_of [ named_like "sort_"; ours; on 1 ]) sequential times)

let sort_shared =
  target "sort on 2 domains: times faster than Array.stable_sort" (At_least 1.8) "weft bench sort --domains 2"
    (against (all_of [ named_like "sort_"; ours; on 2 ]) sequential times_faster)

let all =
  (fork :: against_rivals)
  @ [
      two_workers;
      promises;
      default_chunks;
      small_chunks;
      speed_up;
      crowded;
      idle_cpu;
      idle_slowdown;
      wake "median" 25. "wake median us";
      wake "99th percentile" 100. "wake p99 us";
      memory;
      deep;
      metg;
      channels;
      sort_alone;
      sort_shared;
    ]

(* {1 Judging} *)

let within bound x = match bound with At_most b -> x <= b | Less_than b -> x < b | At_least b -> x >= b

(* The furthest on the wrong side first; what is no number before all. *)
let worst_first bound readings =
  let badness { value; _ } =
    if Float.is_nan value then Float.infinity
    else match bound with At_most _ | Less_than _ -> value | At_least _ -> -.value
  in
  List.stable_sort (fun a b -> Float.compare (badness b) (badness a)) readings

let judge runs target =
  let readings = worst_first target.bound (List.concat_map target.readings runs) in
  let verdict =
    if readings = [] then Not_measured
    else if List.for_all (fun { value; _ } -> within target.bound value) readings then Met
    else Not_met
  in
  { target; readings; verdict }

(* {1 Text} *)

let value_text x ~unit_ =
  match unit_ with
  | "" -> Text.float x
  | "x" -> Text.float x ^ "x"
  | unit_ -> sprintf "%s %s" (Text.float x) unit_

let bound_text bound ~unit_ =
  let plain x = sprintf "%g%s" x (match unit_ with "" -> "" | "x" -> "x" | unit_ -> " " ^ unit_) in
  match bound with
  | At_most x -> "at most " ^ plain x
  | Less_than x -> "less than " ^ plain x
  | At_least x -> "at least " ^ plain x
