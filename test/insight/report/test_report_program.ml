(* weft report as a program: the first argument is its path. *)

open Made_traces

let program = Sys.argv.(1)
let case = Testing.Watchdog.case

(* Exit code, standard output, standard error. *)
let run arguments =
  let { Testing.Child.code; out; err; _ } = Testing.Child.run program ("report" :: arguments) in
  (code, out, err)

let lines = Testing.Text.lines

let refused what ?(part = "") arguments =
  let code, out, err = run arguments in
  Alcotest.(check int) (what ^ ": exit code") 2 code;
  Alcotest.(check string) (what ^ ": nothing on standard output") "" out;
  match lines err with
  | [ line ] ->
      if not (String.starts_with ~prefix:"weft report: " line) then Alcotest.fail line;
      Testing.Text.check_contains what ~part line
  | _ -> Alcotest.failf "%s: not one line: %S" what err

let bad_files () =
  let bad what part text =
    Made.in_file text @@ fun path ->
    let html = path ^ ".html" in
    refused what ~part [ path; "--html"; html; "--json"; path ^ ".out" ];
    Alcotest.(check (list string))
      (what ^ ": nothing written")
      [ Filename.basename path ]
      (Array.to_list (Sys.readdir (Filename.dirname path)))
  in
  bad "empty" "empty" "";
  bad "blank" "empty" " \n ";
  bad "text" "no trace" "hello\n";
  bad "other JSON" "no 'traceEvents'" {|{"a":1}|};
  bad "no events" "no events" (Made.weft []);
  bad "no time" "event 1: it has no 'ts'" {|[{"ph":"X","name":"a"}]|};
  bad "no phase" "it has no 'ph'" {|[{"ts":1}]|};
  bad "a time that is none" "not a time" {|[{"ph":"X","ts":"now"}]|};
  bad "a string of a string" "not a time" {|[{"ph":"X","ts":"\"1\""}]|};
  bad "an endless time" "not a time" {|[{"ph":"X","ts":1e300}]|};
  bad "a negative duration" "negative" {|[{"ph":"X","ts":1,"dur":-2}]|};
  bad "an event that is no object" "not JSON" {|{"traceEvents":[1]}|};
  bad "garbage in it" "line 2: not JSON" "[{\"ph\":\"i\",\"ts\":1},\n{\"ph\":\"i\",\"ts\":%%}]";
  bad "Fuchsia" "Fuchsia" "\x10\x00\x04FxT\x16\x00........";
  bad "gzip" "damaged or cut short" "\x1f\x8b\x08\x00\x00\x00\x00\x00";
  bad "zstd" "unzstd" "\x28\xb5\x2f\xfd........";
  bad "a later version" "version 2" (Made.weft ~version:2 [ Made.job 0 0. 1. ]);
  bad "after the end" "not JSON" (Made.weft [ Made.job 0 0. 1. ] ^ "rest");
  bad "binary" "" (String.init 256 Char.chr);
  refused "missing" ~part:"No such file" [ "/nowhere/trace.json" ];
  refused "a folder" ~part:"it is a folder" [ Filename.get_temp_dir_name () ]

let gzipped path = (Testing.Child.run ~stdin:path "gzip" [ "-c" ]).out

(* The report is the same, whatever the form of the file. *)
let forms () =
  let report ?stdin name =
    let { Testing.Child.code; out; err; _ } =
      Testing.Child.run ?stdin program [ "report"; name; "--json"; "-" ]
    in
    if code <> 0 then Alcotest.failf "%s: exit code %d: %s" name code err;
    match Yojson.Safe.from_string out with
    | `Assoc members ->
        (List.assoc "file" members, Yojson.Safe.to_string (`Assoc (List.remove_assoc "file" members)))
    | _ -> Alcotest.fail "not an object"
  in
  Made.in_file Made.forced_chunk @@ fun plain ->
  let expected = snd (report plain) in
  let same what text =
    Made.in_file text @@ fun path ->
    Alcotest.(check string) what expected (snd (report path));
    let file, rest = report ~stdin:path "-" in
    Alcotest.(check string) (what ^ ", standard input") expected rest;
    if file <> `String "standard input" then Alcotest.fail "the name of standard input"
  in
  same "plain" Made.forced_chunk;
  same "a byte order mark" ("\xef\xbb\xbf" ^ Made.forced_chunk);
  same "gzip" (gzipped plain)

(* Numbers may be written as strings. *)
let strings () =
  let event quote (from, length) =
    Printf.sprintf {|{"ph":"X","name":"a","cat":"b","pid":%s,"tid":%s,"ts":%s,"dur":%s}|} (quote "7")
      (quote "3") (quote from) (quote length)
  in
  let text quote = Made.plain (List.map (event quote) [ ("10.5", "20"); ("1e2", "0.25") ]) in
  let report text =
    Made.in_file text @@ fun path ->
    let code, out, err = run [ path; "--json"; "-" ] in
    if code <> 0 then Alcotest.failf "exit code %d: %s" code err;
    match Yojson.Safe.from_string out with
    | `Assoc members -> Yojson.Safe.to_string (`Assoc (List.remove_assoc "file" members))
    | _ -> Alcotest.fail "not an object"
  in
  Alcotest.(check string) "the same" (report (text Fun.id)) (report (text (Printf.sprintf "%S")))

(* A trace that is cut anywhere is refused in one line that says so; an array may be cut after an event. *)
let cut () =
  let text = Made.weft [ Made.job 0 0. 1.25; Made.counter "forks" ~id:"0" [ ("forks", 1000.) ] 1. ] in
  let end_of_it = String.length (String.trim text) in
  let rec every i =
    if i < end_of_it then begin
      Made.in_file (String.sub text 0 i) (fun path -> refused "cut" ~part:"cut short" [ path ]);
      every (i + 7)
    end
  in
  every 1;
  Made.in_file "[{\"ph\":\"i\",\"ts\":1,\"name\":\"a\"},\n" @@ fun path ->
  let code, _, _ = run [ path ] in
  Alcotest.(check int) "an array without its end" 0 code

(* The input is kept, and no output overwrites another file. *)
let clashes () =
  Made.in_file Made.balanced @@ fun path ->
  refused "over the trace" ~part:"option '--json': cannot write" [ path; "--json"; path ];
  Alcotest.(check string) "it is as it was" Made.balanced (In_channel.with_open_bin path In_channel.input_all);
  refused "two in one" ~part:"both name the same file" [ path; "--json"; path ^ ".a"; "--html"; path ^ ".a" ];
  refused "both to standard output" ~part:"standard output" [ path; "--json"; "-"; "--html"; "-" ];
  refused "no name" ~part:"'': " [ "" ]

let unwritable () =
  Made.in_file Made.balanced @@ fun path ->
  refused "a folder that is not there" ~part:"--html" [ path; "--html"; "/nowhere/page.html" ];
  refused "a folder" ~part:"it is a folder" [ path; "--json"; Filename.dirname path ];
  Alcotest.(check int) "nothing left over" 1 (Array.length (Sys.readdir (Filename.dirname path)))

let json () =
  Made.in_file Made.forced_chunk @@ fun path ->
  let code, out, _ = run [ path; "--json"; "-" ] in
  Alcotest.(check int) "exit code" 0 code;
  let json = Yojson.Safe.from_string out in
  let open Yojson.Safe.Util in
  Alcotest.(check int) "version" 1 (to_int (member "weft_report" json));
  let first = List.hd (to_list (member "diagnoses" json)) in
  Alcotest.(check string) "diagnosis" "large_chunk" (to_string (member "kind" first));
  let worker = List.nth (to_list (member "workers" json)) 1 in
  Alcotest.(check (float 0.01)) "worker 1 ran" 0.4 (to_number (member "running" worker));
  let wanted =
    [
      "weft_report";
      "file";
      "program";
      "by_weft";
      "duration_ns";
      "last_s";
      "events";
      "lost";
      "unmatched";
      "diagnoses";
      "workers";
      "machine";
      "process";
      "tracer";
      "forks";
      "steals";
      "gc";
      "regions";
      "latencies";
      "slowest";
      "contention";
      "batches";
    ]
  in
  Alcotest.(check (list string)) "all keys" wanted (keys json)

let both_files () =
  Made.in_file Made.locked @@ fun path ->
  let html = path ^ ".html" and json = path ^ ".report" in
  let code, out, err = run [ path; "--html"; html; "--json"; json ] in
  Alcotest.(check (pair int string)) "no complaint" (0, "") (code, err);
  Alcotest.(check bool) "the text too" true (List.length (lines out) > 10);
  let size path = (Unix.stat path).st_size in
  Alcotest.(check bool) "written" true (size html > 20_000 && size json > 1000);
  ignore (Yojson.Safe.from_file json : Yojson.Safe.t)

(* The first finding is a chunk. *)
let show () =
  Made.in_file Made.forced_chunk @@ fun path ->
  let code, page, _ = run [ path; "--html"; "-"; "--show"; "1" ] in
  Alcotest.(check int) "exit code" 0 code;
  Testing.Text.check_contains "the page knows where to open" ~part:{|"show":[|} page;
  refused "no page" ~part:"--html" [ path; "--show"; "1" ];
  refused "no such finding" ~part:"no finding 2" [ path; "--html"; path ^ ".html"; "--show"; "2" ];
  Alcotest.(check bool) "then nothing is written" false (Sys.file_exists (path ^ ".html"));
  Made.in_file Made.collecting @@ fun path ->
  refused "a finding of no moment" ~part:"of no moment" [ path; "--html"; path ^ ".html"; "--show"; "1" ]

let hostile () =
  Made.in_file (Made.weft ~program:"</script><b>" [ Made.name 0 "<!--<script>"; Made.job 0 0. 9. ])
  @@ fun path ->
  let code, page, _ = run [ path; "--html"; "-" ] in
  Alcotest.(check int) "exit code" 0 code;
  let count part =
    let n = String.length part in
    let rec from i found =
      if i + n > String.length page then found
      else from (i + 1) (if String.sub page i n = part then found + 1 else found)
    in
    from 0 0
  in
  Alcotest.(check int) "no end of a script but the page's own" 3 (count "</script>");
  Alcotest.(check int) "no comment opened" 0 (count "<!--")

(* The exit code for a wrong command line is 2 for all commands of weft. *)
let help () =
  let of_command command =
    let channel = Unix.open_process_args_in program [| program; command; "--help=plain" |] in
    let text = In_channel.input_all channel in
    ignore (Unix.close_process_in channel : Unix.process_status);
    Alcotest.(check bool) (command ^ " has a page") true (String.length text > 500);
    let is_other_code line = String.starts_with ~prefix:"124 " (String.trim line) in
    Alcotest.(check bool)
      (command ^ " names no other") false
      (List.exists is_other_code (String.split_on_char '\n' text))
  in
  List.iter of_command
    [
      "doctor";
      "bench";
      "migrate";
      "new";
      "report";
      "live";
      "trace";
      "attach";
      "plot";
      "compare";
      "convert";
      "scale";
    ]

(* {1 Real programs}: how slow they are depends on the machine; the reason is their own. *)

let trace_into path arguments =
  let traced =
    Testing.Child.run
      ~env:[ ("WEFT_DOMAINS", "2"); ("WEFT_PROCESSORS", "2") ]
      program
      ([ "trace"; "--quiet"; "-o"; path; "--"; Sys.argv.(2) ] @ arguments)
  in
  Alcotest.(check (pair int string)) "traced" (0, "") (traced.code, traced.err)

(* On a machine that runs other programs, a diagnosis may be hidden at one time and show at another. *)
let until_undisturbed = Testing.Watchdog.until_undisturbed

let traced case size ~expected ?(check = fun _ -> ()) () =
  let open Yojson.Safe.Util in
  Made.in_file "" @@ fun path ->
  until_undisturbed ("it is " ^ expected) @@ fun () ->
  trace_into path [ case; size ];
  let code, out, _ = run [ path; "--json"; "-" ] in
  Alcotest.(check int) "exit code" 0 code;
  let found = to_list (member "diagnoses" (Yojson.Safe.from_string out)) in
  match List.find_opt (fun d -> member "kind" d = `String expected) found with
  | Some diagnosis ->
      check diagnosis;
      Ok ()
  | None ->
      let kinds = String.concat ", " (List.map (fun d -> to_string (member "kind" d)) found) in
      Error (Printf.sprintf "%s: %s instead of %s" case kinds expected)

(* If nothing is wrong except the machine, nothing else is reported. Chance decides how much there is to
   steal at the end of a short program, and whether the processors are free. *)
let fib () =
  let allowed = [ "balanced"; "machine_busy"; "too_little_parallelism"; "oversubscribed" ] in
  Made.in_file "" @@ fun path ->
  until_undisturbed "nothing is said of fib" @@ fun () ->
  trace_into path [ "balanced"; "8" ];
  let _, out, _ = run [ path; "--json"; "-" ] in
  let open Yojson.Safe.Util in
  let kinds =
    List.map
      (fun d -> to_string (member "kind" d))
      (to_list (member "diagnoses" (Yojson.Safe.from_string out)))
  in
  match List.filter (fun kind -> not (List.mem kind allowed)) kinds with
  | [] -> Ok ()
  | false_ones -> Error ("said of fib: " ^ String.concat ", " false_ones)

let in_region name diagnosis =
  Alcotest.(check string) "region" name Yojson.Safe.Util.(to_string (member "region" diagnosis))

let () =
  Alcotest.run
    ~argv:[| "test_report_program"; "--compact" |]
    "weft report"
    [
      ( "program",
        [
          case "what is no trace gets one line and exit code 2" bad_files;
          case "a trace that was cut short gets one line and exit code 2" cut;
          case "gzip, byte order marks and standard input are read" forms;
          case "numbers may be strings" strings;
          case "nothing is written where it cannot be" unwritable;
          case "no output over another one or over what is read" clashes;
          case "JSON has the documented keys" json;
          case "text, JSON and page at once" both_files;
          case "a page that opens at a finding" show;
          case "pages of help tell the exit code of wrong command lines" help;
          case "names cannot end the page's scripts" hostile;
        ] );
      ( "real programs",
        [
          case "fib, of which there is nothing bad to say" fib;
          case "a chunk that is too large"
            (traced "chunk" "3" ~expected:"large_chunk" ~check:(in_region "chunk"));
          case "a contended lock" (traced "lock" "3" ~expected:"lock_contention" ~check:(in_region "lock"));
          case "collections" (traced "gc" "10" ~expected:"gc_bound");
        ] );
    ]
