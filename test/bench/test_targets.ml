open Weft_bench_plots

let case = Limited.case
let row = Made.row

(* The only target of which the name has all of [parts]. *)
let target parts =
  let contains part text =
    List.exists
      (fun i -> String.starts_with ~prefix:part (String.sub text i (String.length text - i)))
      (List.init (String.length text + 1) Fun.id)
  in
  let has (t : Targets.t) = List.for_all (fun part -> contains part t.name) parts in
  match List.filter has Targets.all with
  | [ target ] -> target
  | found -> Alcotest.failf "%d targets: %s" (List.length found) (String.concat ", " parts)

let shown : Targets.verdict -> string = function
  | Met -> "met"
  | Not_met -> "not met"
  | Not_measured -> "not measured"

(* [check parts rows expected values] judges the target on [rows], all of one run. *)
let check_runs parts runs expected values =
  let target = target parts in
  let judged = Targets.judge runs target in
  Alcotest.(check (list (float 1e-9)))
    (target.name ^ ": readings") values
    (List.map (fun (r : Targets.reading) -> r.value) judged.readings);
  Alcotest.(check string) target.name (shown expected) (shown judged.verdict)

let check parts rows expected values = check_runs parts [ Made.run rows ] expected values

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
  (* It moves memory; and what has a forced cutoff is not what a program gets by default. *)
  check speed_up (of_bench "nqueens" 1. @ of_bench "scan" 2.) Met [ 2. ];
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
  check [ "8 domains against 2" ] rows Met [ 1.05 ];
  let on_eight = { (Made.run rows) with header = Made.header ~processors:8 () } in
  check_runs [ "8 domains against 2" ] [ on_eight ] Not_measured []

let figures_are_judged_by_their_median () =
  let wake values = row "wake" "submit" ~domains:2 ~figures:[ ("wake median us", values) ] [ 1.; 1.; 1. ] in
  check [ "starts, median" ] [ wake [ 90.; 20.; 25. ] ] Met [ 25. ];
  check [ "starts, median" ] [ wake [ 26.; 20.; 27. ] ] Not_met [ 26. ];
  check [ "starts, 99th" ] [ wake [ 1. ] ] Not_measured [];
  check [ "processor time" ]
    [ row "idle_cpu" "weft" ~domains:8 ~figures:[ ("CPU %", [ 0.1 ]) ] [ 1. ] ]
    Not_met [ 0.1 ];
  check [ "METG" ] [ row "metg" "par" ~domains:2 ~figures:[ ("METG ns", [ 55. ]) ] [ 1. ] ] Met [ 55. ];
  let channel method_ rate =
    row "channel_1_1_unbounded" method_ ~domains:2 ~figures:[ ("messages/s", [ rate ]) ] [ 1. ]
  in
  check [ "channels" ] [ channel "fibers" 9e6; channel "domainslib" 3e6 ] Met [ 3. ];
  check [ "channels" ] [ channel "fibers" 9e6; channel "domainslib" 0. ] Not_measured []

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

let every_target_says_how_to_measure_it () =
  Alcotest.(check int) "how many" 24 (List.length Targets.all);
  let names = List.map (fun (t : Targets.t) -> t.name) Targets.all in
  Alcotest.(check int) "names differ" 24 (List.length (List.sort_uniq compare names));
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
    case "memory is judged by peaks" memory_is_judged_by_peaks;
    case "the rest is judged as it says" the_rest_is_judged_as_it_says;
    case "every target says how to measure it" every_target_says_how_to_measure_it;
    case "what is no number is never met" a_number_that_is_none_is_never_met;
  ]
