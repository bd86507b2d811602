open Weft_bench_results
open Yojson.Safe.Util

(* {1 CSV} *)

(* A small reader of RFC 4180: the fields of each line. *)
let csv text =
  let lines = ref [] and fields = ref [] and field = Buffer.create 16 in
  let end_field () =
    fields := Buffer.contents field :: !fields;
    Buffer.clear field
  in
  let end_line () =
    end_field ();
    lines := List.rev !fields :: !lines;
    fields := []
  in
  let n = String.length text in
  let rec plain i =
    if i < n then
      match text.[i] with
      | ',' -> end_field (); plain (i + 1)
      | '\n' -> end_line (); plain (i + 1)
      | '"' -> quoted (i + 1)
      | c -> Buffer.add_char field c; plain (i + 1)
  and quoted i =
    match text.[i] with
    | '"' when i + 1 < n && text.[i + 1] = '"' -> Buffer.add_char field '"'; quoted (i + 2)
    | '"' -> plain (i + 1)
    | c -> Buffer.add_char field c; quoted (i + 1)
  in
  plain 0;
  List.rev !lines
[@@ocamlformat "disable"]

let csv_has_a_line_for_each_row () =
  let lines = csv (Csv.of_results Made.sample) in
  let titles = List.hd lines in
  Alcotest.(check int) "lines" 7 (List.length lines);
  List.iter
    (fun line -> Alcotest.(check int) "as many fields as titles" (List.length titles) (List.length line))
    lines;
  let keys =
    match Results.to_json Made.sample |> member "rows" |> index 0 with
    | `Assoc fields -> List.map fst fields
    | _ -> []
  in
  let own = List.filter (( <> ) "figures") keys @ [ "wake p99 us"; "jobs, \"all\"" ] in
  Alcotest.(check (list string)) "titles are the keys of the JSON file, and figures" own titles;
  let field title line = List.assoc title (List.combine titles (List.nth lines line)) in
  let check what expected title line = Alcotest.(check string) what expected (field title line) in
  check "a text" "sequential" "method" 1;
  check "no cutoff" "" "cutoff" 1;
  check "a cutoff" "20" "cutoff" 4;
  check "runs" "0.1 0.11 0.12 0.13 0.14" "seconds" 1;
  check "a median" "0.12" "median" 1;
  check "no figure" "" "wake p99 us" 1;
  check "a figure" "30" "wake p99 us" 6;
  check "what is not known" "" "involuntary_switches" 1

let csv_keeps_every_digit () =
  let x = 0.1 +. 0.2 in
  let lines = csv (Csv.of_results (Made.results [ Made.row [ x ] ])) in
  let median = List.assoc "median" (List.combine (List.hd lines) (List.nth lines 1)) in
  Alcotest.(check (float 0.)) "the same number" x (float_of_string median)

(* {1 Google Benchmark} *)

let entries name =
  let all = to_list (member "benchmarks" (Google.of_results Made.sample)) in
  List.filter (fun entry -> String.equal (to_string (member "run_name" entry)) name) all

let of_type kind = List.filter (fun entry -> member "run_type" entry = `String kind)
let par = "fib/par/size:30/cutoff:none/domains:1"

let names_are_distinct_for_each_configuration () =
  let all = to_list (member "benchmarks" (Google.of_results Made.sample)) in
  let names = List.map (fun entry -> to_string (member "run_name" entry)) all in
  Alcotest.(check (list string))
    "names"
    [
      "fib/par/size:30/cutoff:20/domains:2";
      par;
      "fib/par/size:30/cutoff:none/domains:2";
      "fib/sequential/size:30/cutoff:none/domains:1";
      "iota/loop/size:1000/chunk:default/domains:2";
      "wake/submit/size:30/domains:2";
    ]
    (List.sort_uniq String.compare names)

let every_run_is_an_iteration () =
  let runs = of_type "iteration" (entries par) in
  let each key = List.map (member key) runs in
  let check = Alcotest.(check (list (float 1e-3))) in
  check "real time, in ns" [ 200e6; 210e6; 220e6; 230e6; 240e6 ] (List.map to_number (each "real_time"));
  check "cpu time" [ 200e6; 210e6; 220e6; 230e6; 240e6 ] (List.map to_number (each "cpu_time"));
  let all what expected key =
    List.iter (fun json -> Alcotest.(check string) what expected (Yojson.Safe.to_string json)) (each key)
  in
  all "unit" {|"ns"|} "time_unit";
  all "repetitions" "5" "repetitions";
  all "threads" "1" "threads";
  all "iterations" "1" "iterations";
  all "name" (Printf.sprintf "%S" par) "name";
  Alcotest.(check (list int)) "index" [ 0; 1; 2; 3; 4 ] (List.map to_int (each "repetition_index"))

let several_runs_have_aggregates () =
  let aggregate name =
    List.find (fun entry -> member "aggregate_name" entry = `String name) (of_type "aggregate" (entries par))
  in
  let check name unit expected =
    let entry = aggregate name in
    Alcotest.(check string) "name" (par ^ "_" ^ name) (to_string (member "name" entry));
    Alcotest.(check string) "unit" unit (to_string (member "aggregate_unit" entry));
    Alcotest.(check int) "runs" 5 (to_int (member "iterations" entry));
    Alcotest.(check (float 1e-3)) name expected (to_number (member "real_time" entry))
  in
  check "mean" "time" 220e6;
  check "median" "time" 220e6;
  (* Deviations of 20, 10, 0, 10 and 20 ms: the root of 1000 / 4. *)
  check "stddev" "time" (sqrt 250. *. 1e6);
  check "cv" "percentage" (sqrt 250. /. 220.);
  let once = to_list (member "benchmarks" (Google.of_results (Made.results [ Made.row [ 1. ] ]))) in
  Alcotest.(check int) "one run has none" 1 (List.length once)

let figures_are_counters () =
  let runs = entries "wake/submit/size:30/domains:2" in
  let counter entry = to_number (member "wake p99 us" entry) in
  Alcotest.(check (list (float 1e-9)))
    "of each run" [ 10.; 20.; 30.; 40.; 50. ]
    (List.map counter (of_type "iteration" runs));
  let median = List.find (fun entry -> member "aggregate_name" entry = `String "median") runs in
  Alcotest.(check (float 1e-9)) "the median" 30. (counter median);
  Alcotest.(check (float 1e-9))
    "what rows have medians of" 2.5
    (to_number (member "minor_collections" median));
  let odd = Made.results [ Made.row ~figures:[ ("threads", [ 9. ]) ] [ 1. ] ] in
  let entry = Google.of_results odd |> member "benchmarks" |> index 0 in
  Alcotest.(check int) "a key of the format stays" 2 (to_int (member "threads" entry));
  Alcotest.(check (float 0.)) "the figure has another name" 9. (to_number (member "figure threads" entry))

let the_context_has_what_readers_ask_for () =
  let context = member "context" (Google.of_results Made.sample) in
  let check key expected =
    Alcotest.(check string) key expected (Yojson.Safe.to_string (member key context))
  in
  check "date" {|"2026-01-31T23:59:59+00:00"|};
  check "executable" {|"weft bench fib"|};
  check "num_cpus" "4";
  check "caches" "[]";
  check "load_avg" "[0.5]";
  check "library_build_type" {|"release"|};
  check "json_schema_version" "1"

let case = Testing.Watchdog.case

let tests =
  [
    case "CSV has a line for each row" csv_has_a_line_for_each_row;
    case "CSV keeps every digit" csv_keeps_every_digit;
    case "names are distinct for each configuration" names_are_distinct_for_each_configuration;
    case "every run is an iteration" every_run_is_an_iteration;
    case "several runs have aggregates" several_runs_have_aggregates;
    case "figures are counters" figures_are_counters;
    case "the context has what readers ask for" the_context_has_what_readers_ask_for;
  ]
