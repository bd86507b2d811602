open Weft_bench_results
open Testing.Text

let baseline = ref ""
let weft = Program.run
let check_code = Alcotest.(check int)
let sample_file folder name = Made.file folder name (Results.to_json Made.sample)

let slower_file folder name =
  let twice (row : Weft_bench_harness.Row.t) =
    if row.cutoff = None then row else Made.row ?cutoff:row.cutoff (List.map (fun x -> 2. *. x) row.seconds)
  in
  Made.file folder name (Results.to_json (Made.results (List.map twice Made.sample.rows)))

(* [failed what code parts ended]: one line on standard error that contains [parts], and no other output. *)
let failed what code parts ({ code = got; out; err; _ } : Testing.Child.ended) =
  check_code what code got;
  Alcotest.(check string) (what ^ ": no output") "" out;
  Alcotest.(check int) (what ^ ": one line") 1 (List.length (lines err));
  List.iter (fun part -> check_contains what ~part err) parts

(* {1 Compare} *)

let exit_codes_tell_of_regressions () =
  Made.in_folder @@ fun folder ->
  let a = sample_file folder "a.json" and b = slower_file folder "b.json" in
  let check what code arguments parts =
    let ({ code = got; out; err; _ } : Testing.Child.ended) = weft ("compare" :: arguments) in
    check_code what code got;
    Alcotest.(check string) (what ^ ": no message") "" err;
    List.iter (fun part -> check_contains what ~part out) parts
  in
  check "the same" 0 [ a; a ] [ "6 rows: 0 faster, 0 slower, 6 same" ];
  check "slower" 1 [ a; b ] [ "1 slower"; "fib 30, cutoff 20"; "  slower\n"; "2.000"; "0.0079" ];
  check "faster" 0 [ b; a ] [ "1 faster"; "0.500" ];
  check "a threshold above" 0 [ a; b; "--threshold"; "2.1" ] [ "0 slower"; "threshold 2.1" ];
  check "an alpha below" 0 [ a; b; "--alpha"; "0.001" ]
    [ "0 slower"; "too few runs"; "At alpha 0.001, 7 runs in each file are enough" ];
  check "ratios" 1 [ a; b; "--ratios" ] [ "x sequential"; "3 rows"; "Left out of A"; "2 rows" ]
[@@ocamlformat "disable"]

let bad_files_are_one_line_and_exit_code_2 () =
  Made.in_folder @@ fun folder ->
  let a = sample_file folder "a.json" in
  let other = Made.file folder "other.json" (Results.to_json (Made.results [ Made.row ~size:9 [ 1. ] ])) in
  let truncated = Filename.concat folder "truncated.json" in
  Made.write truncated (String.sub (read a) 0 700);
  let wrong = Made.file folder "wrong.json" (Made.set "rows[1].size" `Null (Results.to_json Made.sample)) in
  let bad what arguments parts = failed what 2 ("weft compare: " :: parts) (weft ("compare" :: arguments)) in
  bad "no such file" [ Filename.concat folder "none.json"; a ] [ "none.json: cannot be read: No such file" ];
  bad "a folder" [ a; folder ] [ folder ^ ": it is a folder" ];
  bad "truncated" [ a; truncated ] [ truncated ^ ": not JSON, or not all of it" ];
  bad "a wrong type" [ wrong; a ]
    [ wrong ^ ": rows[1].size: expected a whole number of at least 0, found null" ];
  bad "nothing in common" [ a; other ] [ "have nothing to compare" ];
  bad "both are standard input" [ "-"; "-" ] [ "only one of the files" ];
  bad "an unwritable place"
    [ a; a; "--json"; Filename.concat folder "no/where.json" ]
    [ "option '--json': cannot write"; "No such file" ];
  let converted arguments = weft ("convert" :: arguments) in
  failed "convert" 2 [ "weft convert: "; truncated ] (converted [ truncated; "--csv"; "-" ]);
  failed "nothing to store" 2 [ other ^ ": nothing to store" ] (converted [ other; "--baseline"; "-" ])

let bad_usage_is_one_line () =
  Made.in_folder @@ fun folder ->
  let a = sample_file folder "a.json" in
  let bad arguments parts = failed (String.concat " " arguments) 2 parts (weft arguments) in
  bad [ "compare"; a ] [ "required argument B is missing" ];
  bad [ "compare"; a; a; a ] [ "too many arguments" ];
  bad [ "compare"; a; a; "--threshold"; "0.9" ] [ "'0.9' is not a threshold of at least 1" ];
  bad [ "compare"; a; a; "--threshold"; "nan" ] [ "'nan'" ];
  bad [ "compare"; a; a; "--alpha"; "1" ] [ "'1' is not a probability between 0 and 1" ];
  bad [ "convert"; a ] [ "say what to write" ]

let differences_are_warnings () =
  Made.in_folder @@ fun folder ->
  let a = sample_file folder "a.json" in
  let dev = { Made.header with compiler = { Made.header.compiler with profile = "dev" } } in
  let b = Made.file folder "b.json" (Results.to_json { Made.sample with header = dev }) in
  let { Testing.Child.code; err; _ } = weft [ "compare"; a; b ] in
  check_code "exit code" 0 code;
  Alcotest.(check (list string))
    "warnings"
    [
      "weft compare: warning: A and B differ in profile: release and dev";
      "weft compare: warning: B comes from a build in the dev profile: its times are no figures";
    ]
    (lines err)

let a_comparison_can_be_data () =
  Made.in_folder @@ fun folder ->
  let a = sample_file folder "a.json" and b = slower_file folder "b.json" in
  let { Testing.Child.code; out; _ } = weft [ "compare"; a; b; "--json"; "-" ] in
  check_code "exit code" 1 code;
  let open Yojson.Safe.Util in
  let json = Yojson.Safe.from_string out in
  Alcotest.(check int) "slower" 1 (json |> member "verdicts" |> member "slower" |> to_int);
  let verdict row = to_string (member "verdict" row) in
  let slower = List.filter (fun row -> verdict row = "slower") (to_list (member "rows" json)) in
  Alcotest.(check (list (float 1e-9)))
    "ratio" [ 2. ]
    (List.map (fun row -> to_number (member "ratio" row)) slower);
  let { Testing.Child.code; out; _ } = weft ~input:b [ "compare"; a; "-" ] in
  check_code "from standard input" 1 code;
  check_contains "its name" ~part:"B: standard input" out

let a_few_runs_far_apart_are_a_slowdown () =
  Made.in_folder @@ fun folder ->
  let file name values = Made.file folder name (Results.to_json (Made.results [ Made.row values ])) in
  let a = file "a.json" [ 0.1; 0.1; 0.11 ] in
  let b = file "b.json" [ 6.8; 6.9; 7.2 ] and near = file "near.json" [ 0.12; 0.13; 0.13 ] in
  let { Testing.Child.code; out; _ } = weft [ "compare"; a; b ] in
  check_code "68 times" 1 code;
  check_contains "the exact p" ~part:" 0.1000 " out;
  let { Testing.Child.code; out; _ } = weft [ "compare"; a; near ] in
  check_code "near" 0 code;
  check_contains "what is enough" ~part:"4 runs in each file are enough" out

(* {1 Convert} *)

let results_are_converted () =
  Made.in_folder @@ fun folder ->
  let a = sample_file folder "a.json" in
  let at = Filename.concat folder in
  let ended = weft [ "convert"; a; "--csv"; at "a.csv"; "--google-json"; at "g.json"; "--baseline"; at "base.json" ] in
  check_code "exit code" 0 ended.code;
  Alcotest.(check string) "nothing is said" "" (ended.out ^ ended.err);
  Alcotest.(check string) "CSV" (Csv.of_results Made.sample) (read (at "a.csv"));
  Alcotest.(check bool) "Google's" true
    (Yojson.Safe.equal (Google.of_results Made.sample) (Yojson.Safe.from_file (at "g.json")));
  check_code "the baseline is taken" 0 (weft [ "compare"; at "base.json"; a ]).code;
  failed "one place for two" 2 [ "options '--csv' and '--google-json': both name the same file" ]
    (weft [ "convert"; a; "--csv"; at "new"; "--google-json"; folder ^ "/./new" ]);
  Alcotest.(check bool) "nothing is written" false (Sys.file_exists (at "new"))
[@@ocamlformat "disable"]

(* {1 What weft bench writes} *)

let what_bench_writes_can_be_read () =
  Made.in_folder @@ fun folder ->
  let at = Filename.concat folder in
  let ended =
    weft [ "bench"; "fib"; "iota"; "wake"; "--size"; "12"; "--runs"; "2"; "--domains"; "1,2"; "--json"; at "r.json";
           "--csv"; at "r.csv"; "--google-json"; at "g.json" ]
  in
  check_code "exit code" 0 ended.code;
  match Results.read (at "r.json") with
  | Error reason -> Alcotest.fail reason
  | Ok results ->
      Alcotest.(check bool) "the very JSON" true (Yojson.Safe.equal (Results.to_json results) (Yojson.Safe.from_file (at "r.json")));
      Alcotest.(check string) "CSV" (Csv.of_results results) (read (at "r.csv"));
      Alcotest.(check bool) "Google's" true (Yojson.Safe.equal (Google.of_results results) (Yojson.Safe.from_file (at "g.json")));
      Alcotest.(check (list string)) "its command" [ "bench"; "fib" ] (List.filteri (fun i _ -> i = 1 || i = 2) results.header.command);
      Alcotest.(check bool) "one is paced" true (List.exists (fun (row : Weft_bench_harness.Row.t) -> row.paced) results.rows)
[@@ocamlformat "disable"]

let what_elastic_writes_can_be_read () =
  Made.in_folder @@ fun folder ->
  let path = Filename.concat folder "elastic.json" in
  let ended = weft [ "bench"; "elastic"; "--case"; "crowded"; "--workload"; "fib"; "--domains"; "2"; "--runs"; "1"; "--work"; "1"; "--json"; path ] in
  check_code "exit code" 0 ended.code;
  match Results.read path with
  | Error reason -> Alcotest.fail reason
  | Ok results -> Alcotest.(check bool) "its kind" true (results.header.kind = Elastic)
[@@ocamlformat "disable"]

let the_stored_baseline_can_be_compared () =
  let ended = weft [ "compare"; !baseline; !baseline ] in
  check_code "exit code" 0 ended.code;
  check_contains "by ratios" ~part:"x sequential" ended.out

let case = Testing.Watchdog.case

let tests =
  [
    case "exit codes tell of regressions" exit_codes_tell_of_regressions;
    case "bad files are one line and exit code 2" bad_files_are_one_line_and_exit_code_2;
    case "bad usage is one line" bad_usage_is_one_line;
    case "differences are warnings" differences_are_warnings;
    case "a comparison can be data" a_comparison_can_be_data;
    case "a few runs far apart are a slowdown" a_few_runs_far_apart_are_a_slowdown;
    case "results are converted" results_are_converted;
    case "what weft bench writes can be read" what_bench_writes_can_be_read;
    case "what weft bench elastic writes can be read" what_elastic_writes_can_be_read;
    case "the stored baseline can be compared" the_stored_baseline_can_be_compared;
  ]
