open Weft_bench_harness
open Weft_bench_results
open Testing.Text

let description = ref ""
let sample = Results.to_json Made.sample

let json_of = function
  | Ok results -> Yojson.Safe.to_string (Results.to_json results)
  | Error reason -> "error: " ^ reason

(* {1 Correct files} *)

let what_is_written_is_read_the_same () =
  let same what results =
    Made.in_folder @@ fun folder ->
    let json = Results.to_json results in
    let path = Made.file folder "results.json" json in
    Alcotest.(check string) what (Yojson.Safe.to_string json) (json_of (Results.read path));
    Alcotest.(check bool) (what ^ ", as values") true (Results.read path = Ok results)
  in
  same "all kinds of rows" Made.sample;
  let elastic = { Made.header with kind = Elastic; warm_up = false } in
  let skipped = [ { Results.case = "quota_1"; why = "not allowed" } ] in
  let stopped = Made.row ~figures:[ (Row.over_limit_title, [ 1. ]) ] [ 20. ] in
  same "elastic" (Made.results ~header:elastic ~skipped [ stopped ]);
  same "nothing but skipped cases" (Made.results ~header:elastic ~skipped [])

let unknown_keys_are_passed_over () =
  let more =
    sample |> Made.set "header.new" (`Int 1) |> Made.set "rows[1].new" (`List []) |> Made.set "new" `Null
  in
  Alcotest.(check string) "the same" (Yojson.Safe.to_string sample) (json_of (Results.of_json more))

let numbers_may_have_fewer_digits () =
  let rounded = Made.set "rows[1].median" (`Float 0.22000001) sample in
  Alcotest.(check bool) "taken" true (Result.is_ok (Results.of_json rounded));
  let whole = sample |> Made.set "rows[5].seconds[0]" (`Int 1) in
  Alcotest.(check bool) "whole numbers" true (Result.is_ok (Results.of_json whole))

let every_key_is_described () =
  let page = read !description in
  let rec check (json : Yojson.Safe.t) =
    match json with
    | `Assoc fields ->
        List.iter
          (fun (key, json) ->
            Alcotest.(check bool) key true (contains (Printf.sprintf "`%s`" key) page);
            if not (String.equal key "environment") then check json)
          fields
    | `List (first :: _) -> check first
    | _ -> ()
  in
  check (Made.set "rows" (`List [ Made.get "rows[5]" sample ]) sample);
  check (Baseline.to_json (Result.get_ok (Baseline.of_results Made.sample)))

(* {1 Wrong values} *)

let refused what json expected =
  match Results.of_json json with
  | Ok _ -> Alcotest.failf "%s: taken" what
  | Error reason -> Alcotest.(check string) what expected reason

let wrong_values_are_named_with_their_place () =
  let wrong path value expected = refused path (Made.set path value sample) (path ^ ": " ^ expected) in
  wrong "header.kind" (`String "bunch")
    {|expected one of "bench", "elastic", "baseline", found the text "bunch"|};
  wrong "header.date" (`String "yesterday")
    {|expected a date such as "2026-01-31T23:59:59Z", found "yesterday"|};
  wrong "header.runs" (`Int 0) "expected a whole number of at least 1, found 0";
  wrong "header.runs" (`Float 2.5) "expected a whole number of at least 1, found 2.5";
  wrong "header.runs" (`Intlit "99999999999999999999")
    "expected a whole number of at least 1, found 99999999999999999999";
  wrong "header.warm_up" (`Int 1) "expected true or false, found 1";
  wrong "header.stolen_share" (`Float 1.5) "expected a share from 0 to 1, found 1.5";
  wrong "header.machine.model" (`String "a\nb")
    "the text has a character that is not shown (control, direction, no width), or is not UTF-8";
  wrong "header.machine" `Null "expected an object, found null";
  wrong "header.command" (`String "weft") {|expected a list, found the text "weft"|};
  wrong "header.command[1]" (`Int 3) "expected a text, found 3";
  wrong "header.environment.WEFT_DOMAINS" (`Int 2) "expected a text, found 2";
  wrong "rows" (`Assoc []) "expected a list, found an object";
  wrong "rows" (`List []) "the list is empty";
  wrong "rows[2]" `Null "expected an object, found null";
  wrong "rows[0].bench" (`String "") "the name is empty";
  wrong "rows[0].role" (`String "rival")
    {|expected one of "baseline", "beside", "contender", found the text "rival"|};
  wrong "rows[0].domains" (`Int 0) "expected a whole number of at least 1, found 0";
  wrong "rows[3].cutoff" (`Int 0) "expected a whole number of at least 1, found 0";
  wrong "rows[0].size" (`Int (-1)) "expected a whole number of at least 0, found -1";
  wrong "rows[0].seconds" (`List []) "the list is empty";
  wrong "rows[0].seconds[1]" (`Float Float.nan) "expected a finite number, found nan";
  wrong "rows[0].seconds[1]" (`Float Float.infinity) "expected a finite number, found inf";
  wrong "rows[0].seconds[1]" (`Float (-0.1)) "expected a number above 0, found -0.1";
  wrong "rows[0].seconds[1]" `Null "expected a finite number, found null";
  wrong "rows[0].median" (`Float 0.13) "0.13 is not the median of 'seconds', 0.12";
  wrong "rows[0].min" (`Float 0.11) "0.11 is not the least of 'seconds', 0.1";
  wrong "rows[0].cpu_seconds" (`Float 0.) "0 is not the median of 'cpu_runs', 0.12";
  wrong "rows[0].cpu_runs" (`List [ `Float 0.12 ]) "1 runs, where 'seconds' has 5";
  wrong "rows[0].peak_bytes" (`Float 1.5) "expected a whole number of at least 0, found 1.5";
  wrong "rows[0].check" (`String "over limit")
    {|it does not agree with the figures (is there one titled "over limit"?)|};
  wrong "rows[5].figures[0].median" (`Float 20.) "20 is not the median of the runs, 30";
  wrong "rows[5].figures[0].runs" (`List []) "the list is empty"

let missing_and_repeated_keys_are_named () =
  let gone path key =
    let whole = if path = "" then key else path ^ "." ^ key in
    refused whole (Made.without whole sample) (Printf.sprintf "%s: the key '%s' is missing" path key)
  in
  List.iter (gone "rows[4]")
    [ "bench"; "grain"; "method"; "role"; "paced"; "domains"; "cutoff"; "size"; "seconds"; "median"; "min";
      "ns_per_fork"; "ratio_to_sequential"; "ratio_to_default"; "speed_up"; "check"; "cpu_seconds"; "cpu_runs";
      "voluntary_switches"; "involuntary_switches"; "minor_collections"; "major_collections"; "peak_bytes"; "figures" ];
  List.iter (gone "header")
    [ "kind"; "weft"; "date"; "command"; "runs"; "runs_asked"; "interrupted"; "warm_up"; "machine"; "compiler"; "minor_heap_words";
      "environment"; "default_domains"; "fence"; "stolen_share"; "load_before"; "load_after" ];
  List.iter (gone "header.machine") [ "model"; "processors"; "affinity"; "quota"; "kernel"; "hypervisor" ];
  List.iter (gone "header.compiler") [ "version"; "flambda"; "architecture"; "profile"; "flags" ];
  List.iter (gone "rows[5].figures[1]") [ "title"; "median"; "runs" ];
  refused "rows" (Made.without "rows" sample) "the key 'rows' is missing";
  let twice = match Made.get "rows[0]" sample with `Assoc fields -> `Assoc (("size", `Int 1) :: fields) | json -> json in
  refused "twice" (Made.set "rows[0]" twice sample) "rows[0]: the key 'size' is there twice"
[@@ocamlformat "disable"]

let two_rows_of_one_configuration_are_refused () =
  refused "rows"
    (Made.set "rows[2].domains" (`Int 1) sample)
    "rows[2]: the same benchmark, method, domains, cutoff and size as rows[1]";
  refused "figures"
    (Made.set "rows[5].figures[1].title" (`String "wake p99 us") sample)
    {|rows[5].figures[1]: there is another figure titled "wake p99 us"|}

let other_schemas_and_foreign_files_are_told () =
  let older = sample |> Made.without "header.schema" |> Made.set "header.format" (`Int 1) in
  refused "older" older
    "header.format: written by an older weft (schema 1; this one reads 2): run the benchmarks again";
  refused "newer"
    (Made.set "header.schema" (`Int 3) sample)
    "header.schema: 3 is of a newer weft; this one reads 2";
  refused "none"
    (Made.without "header.schema" sample)
    "header: not a results file of 'weft bench --json': the key 'schema' is missing";
  refused "another object"
    (`Assoc [ ("results", `List []) ])
    "not a results file of 'weft bench --json': there is no object 'header' in it";
  refused "a list" (`List [ sample ])
    "not a results file of 'weft bench --json': there is no object 'header' in it";
  refused "Google's" (Google.of_results Made.sample)
    "not a results file of 'weft bench --json', but JSON of Google Benchmark: give the file that --json wrote";
  refused "a baseline"
    (Baseline.to_json (Result.get_ok (Baseline.of_results Made.sample)))
    "header.kind: a stored baseline of ratios, not a results file; only 'weft compare' reads it"

(* {1 Files} *)

let file_refused path parts =
  match Results.read path with
  | Ok _ -> Alcotest.failf "%s: taken" path
  | Error reason ->
      Alcotest.(check bool) "one line" false (String.contains reason '\n');
      List.iter (fun part -> check_contains path ~part reason) parts

let no_file_is_too_odd_for_a_message () =
  Made.in_folder @@ fun folder ->
  let with_text name text parts =
    let path = Filename.concat folder name in
    Made.write path text;
    file_refused path ((path ^ ": ") :: parts)
  in
  let whole = Yojson.Safe.pretty_to_string sample in
  with_text "empty" "" [ "the file is empty" ];
  with_text "blank" " \n\t\n" [ "the file is empty" ];
  for eighth = 1 to 7 do
    let piece = String.sub whole 0 (String.length whole * eighth / 8) in
    with_text "truncated" piece [ "not JSON, or not all of it: line " ]
  done;
  with_text "twice" (whole ^ whole) [ "not JSON" ];
  with_text "text" "hello\x1b[31m\nworld" [ "not JSON" ];
  with_text "binary" (String.init 256 Char.chr) [ "not JSON" ];
  with_text "deep" (String.make 1_000_000 '[') [ "nested more than 100 deep" ];
  with_text "deep in their way" (String.make 1_000_000 '(') [ "not JSON: '(' outside of a text" ];
  with_text "large" (String.make (65 * 1024 * 1024) ' ') [ "larger than 64 MiB" ];
  file_refused folder [ folder ^ ": it is a folder" ];
  file_refused (Filename.concat folder "none") [ "none: cannot be read: No such file or directory" ];
  file_refused "" [ "'': the name of the file is empty" ];
  (* A device without an end. *)
  if Sys.file_exists "/dev/zero" then file_refused "/dev/zero" [ "/dev/zero: it is a device" ]

let brackets_in_texts_are_not_nesting () =
  let text = String.make 500 '[' ^ "\\\"" ^ String.make 500 '{' in
  let odd = Made.set "header.machine.model" (`String text) sample in
  Made.in_folder @@ fun folder ->
  Alcotest.(check bool) "taken" true (Result.is_ok (Results.read (Made.file folder "odd.json" odd)))

let case = Testing.Watchdog.case

let tests =
  [
    case "what is written is read the same" what_is_written_is_read_the_same;
    case "unknown keys are passed over" unknown_keys_are_passed_over;
    case "numbers may have fewer digits" numbers_may_have_fewer_digits;
    case "every key is described" every_key_is_described;
    case "wrong values are named with their place" wrong_values_are_named_with_their_place;
    case "missing and repeated keys are named" missing_and_repeated_keys_are_named;
    case "two rows of one configuration are refused" two_rows_of_one_configuration_are_refused;
    case "other schemas and foreign files are told" other_schemas_and_foreign_files_are_told;
    case "no file is too odd for a message" no_file_is_too_odd_for_a_message;
    case "brackets in texts are not nesting" brackets_in_texts_are_not_nesting;
  ]
