(* Rings that are written to a file by the program itself, or are left by one that was killed. *)

module Ring_file = Weft_trace.Ring_file

let check = Alcotest.check
let subject = Tool.program "subject.exe"

(* Small rings, in [dir]. *)
let environment ?(words = 12) ?(trace = "ring") dir =
  [ ("WEFT_TRACE", trace); ("OCAML_RUNTIME_EVENTS_DIR", dir); ("OCAMLRUNPARAM", Printf.sprintf "e=%d" words) ]

let run_subject environment arguments = Testing.Child.run ~env:environment subject arguments
let succeeds what (ended : Testing.Child.ended) = check Alcotest.int (what ^ ": " ^ ended.err) 0 ended.code

let fails what (ended : Testing.Child.ended) =
  check Alcotest.int (what ^ ": " ^ ended.err) 2 ended.code;
  match String.split_on_char '\n' ended.err with
  | [ line; "" ] -> check Alcotest.bool line true (String.starts_with ~prefix:"weft" line)
  | _ -> Alcotest.failf "%s: not one line: %S" what ended.err

let trace_of ?(program = []) ~dir rings =
  let path = Filename.concat dir "t.json" in
  let ended =
    Tool.run ([ "trace"; "--rings"; rings; "-o"; path ] @ if program = [] then [] else "--" :: program)
  in
  succeeds "trace --rings" ended;
  File.read path

let about_text t name = Yojson.Safe.Util.to_string (File.about t name)
let names ?phase t category = List.map (fun (e : File.event) -> e.name) (File.of_category t ?phase category)

let check_dump t =
  check Alcotest.string "by" "rings" (about_text t "by");
  check Alcotest.string "it goes on" "running" (about_text t "outcome");
  check Alcotest.bool "no tracer" true (File.about t "tracer_cpu_ns" = `Null);
  check Alcotest.string "its program" (Unix.realpath subject) (Unix.realpath (about_text t "program"));
  check Alcotest.int "what was overwritten is no loss" 0 (File.lost_words t);
  check Alcotest.bool "undamaged" true (File.about t "damaged" = `Null)

let dumped f =
  Tool.in_folder @@ fun dir ->
  let file = Filename.concat dir "slow.events" in
  succeeds "subject" (run_subject (environment dir) [ "dump"; file ]);
  f dir file

let test_dump () =
  dumped @@ fun dir file ->
  check Alcotest.(array string) "nothing else is left" [| "slow.events" |] (Sys.readdir dir);
  check Alcotest.int "closed to others, as the rings are" 0 ((Unix.stat file).st_perm land 0o077);
  let t = trace_of ~dir file in
  check_dump t;
  let instants = names t ~phase:"i" "region" in
  check Alcotest.bool "the moment of the dump" true (List.mem "Weft.Trace.dump_last" instants);
  check Alcotest.bool "nothing later" false (List.mem "after" instants);
  check Alcotest.bool "the newest" true (List.mem "5000" instants);
  check Alcotest.bool "not the oldest" false (List.mem "1" instants);
  check Alcotest.(list string) "the region" [ "slow" ] (names t ~phase:"b" "region");
  check Alcotest.bool "which was open" true
    (List.for_all File.is_unfinished (File.of_category t ~phase:"e" "region"))

let test_report () =
  dumped @@ fun dir file ->
  let json = Filename.concat dir "r.json" in
  succeeds "report" (Tool.run [ "report"; file; "--json"; json ]);
  let report = Yojson.Safe.from_file json in
  let member name = Yojson.Safe.Util.member name report in
  check Alcotest.bool "of Weft" true (member "by_weft" = `Bool true);
  check Alcotest.string "the file" file (Yojson.Safe.Util.to_string (member "file"))

let test_replaces () =
  Tool.in_folder @@ fun dir ->
  let file = Filename.concat dir "slow.events" in
  succeeds "subject" (run_subject (environment dir) [ "dump"; file; file ]);
  let t = trace_of ~dir file in
  check_dump t;
  check Alcotest.bool "the second one" true (List.mem "between" (names t ~phase:"i" "region"))

(* The ring of one domain reaches back further than the trace. *)
let test_beside_another () =
  Tool.in_folder @@ fun dir ->
  let file = Filename.concat dir "slow.events" in
  succeeds "subject" (run_subject (environment dir) [ "dump beside another"; file ]);
  let t = trace_of ~dir file in
  check_dump t;
  check
    Alcotest.(list string)
    "what had ended before is not there"
    ("across" :: List.init 5 (fun _ -> "late"))
    (names t ~phase:"b" "region");
  let lasts (b : File.event) =
    List.exists
      (fun (e : File.event) -> e.id = b.id && e.time > b.time)
      (File.of_category t ~phase:"e" "region")
  in
  check Alcotest.bool "all take time" true (List.for_all lasts (File.of_category t ~phase:"b" "region"))

(* The rings are written into as before. *)
let test_over_rings () =
  Tool.in_folder @@ fun dir ->
  let file = Filename.concat dir "slow.events" and link = Filename.concat dir "link" in
  succeeds "subject" (run_subject (environment dir) [ "dump over rings"; link; file ]);
  check Alcotest.bool "what came later" true
    (List.mem "later" (names (trace_of ~dir file) ~phase:"i" "region"))

let test_child () =
  Tool.in_folder @@ fun dir ->
  let file = Filename.concat dir "child" in
  let ended =
    Testing.Child.run ~without:(( = ) "OCAML_RUNTIME_EVENTS_DIR") "sh"
      [ "-c"; {|cd "$1" && mkdir sub && exec "$2" "dump of child" sub "$3"|}; "sh"; dir; subject; file ]
  in
  succeeds "subject" ended;
  let t = trace_of ~dir file in
  check_dump t;
  check Alcotest.bool "its own events" true (List.mem "in the child" (names t ~phase:"i" "region"))

let numbers t =
  List.filter_map (fun (e : File.event) -> int_of_string_opt e.name) (File.of_category t ~phase:"i" "region")

let rec consecutive = function a :: (b :: _ as rest) -> a + 1 = b && consecutive rest | _ -> true

(* Of the writer's instants no file has a gap, nor one that was overwritten while it was copied. *)
let test_meanwhile () =
  Tool.in_folder @@ fun dir ->
  let n = 3 in
  succeeds "subject" (run_subject (environment ~words:14 dir) [ "dumps"; dir; string_of_int n ]);
  let of_dump i =
    let t = trace_of ~dir (Filename.concat dir (Printf.sprintf "%d.events" i)) in
    check_dump t;
    let numbers = numbers t in
    check Alcotest.bool (Printf.sprintf "consecutive in %d" i) true (consecutive (List.sort compare numbers));
    List.length numbers
  in
  let counts = List.init (n + 1) (fun i -> of_dump (i + 1)) in
  let last = List.nth counts n in
  if last < 1000 then Alcotest.failf "the last one has only %d" last

let test_killed () =
  Tool.in_folder @@ fun dir ->
  let ended = run_subject (environment dir) [ "crash" ] in
  check Alcotest.bool "killed" true (ended.code <> 0);
  let left = List.filter (String.ends_with ~suffix:".events") (Array.to_list (Sys.readdir dir)) in
  let name = match left with [ name ] -> name | _ -> Alcotest.failf "%d files" (List.length left) in
  let t = trace_of ~dir ~program:[ subject ] (Filename.concat dir name) in
  check Alcotest.string "it has ended" "ended" (about_text t "outcome");
  check Alcotest.string "the program that was named" subject (about_text t "program");
  check Alcotest.int "the process"
    (int_of_string (Filename.remove_extension name))
    (Yojson.Safe.Util.to_int (File.about t "pid"));
  check Alcotest.bool "up to the last moment" true
    (List.exists File.is_unfinished (File.of_category t ~phase:"e" ~name:"last" "region"))

let test_dumped_and_killed () =
  Tool.in_folder @@ fun dir ->
  let dump = Filename.concat dir "slow" in
  let ended = run_subject (environment dir) [ "dump and crash"; dump ] in
  check Alcotest.bool "killed" true (ended.code <> 0);
  let rings = List.find (String.ends_with ~suffix:".events") (Array.to_list (Sys.readdir dir)) in
  check Alcotest.string "the rings" "ended" (about_text (trace_of ~dir (Filename.concat dir rings)) "outcome");
  check_dump (trace_of ~dir dump)

let test_running () =
  Tool.in_folder @@ fun dir ->
  let child = Testing.Child.start ~env:(environment dir) subject [ "for-ever" ] in
  Testing.Child.wait_for_output child "started";
  let rings = Filename.concat dir (Printf.sprintf "%d.events" (Testing.Child.pid child)) in
  let outcome rings = about_text (trace_of ~dir rings) "outcome" in
  check Alcotest.string "while it runs" "running" (outcome rings);
  let elsewhere = Filename.concat dir "copies" in
  Sys.mkdir elsewhere 0o700;
  let copy = Filename.concat elsewhere (Filename.basename rings) in
  Out_channel.with_open_bin copy (Ring_file.copy rings);
  check Alcotest.string "another file of that name" "ended" (outcome copy);
  Testing.Child.signal child Sys.sigkill;
  ignore (Testing.Child.finish child : Testing.Child.ended);
  check Alcotest.string "then" "ended" (outcome rings)

(* Lines are left out, and each command says so in its own name. *)
let test_built_anew () =
  Tool.in_folder @@ fun dir ->
  let program = Filename.concat dir "subject" and file = Filename.concat dir "slow.events" in
  let bytes = In_channel.with_open_bin subject In_channel.input_all in
  Out_channel.with_open_bin program (fun out -> output_string out bytes);
  Unix.chmod program 0o700;
  succeeds "subject" (Testing.Child.run ~env:(environment dir) program [ "dump"; file ]);
  let later = Unix.time () +. 3600. in
  Unix.utimes program later later;
  let says why who arguments =
    let ended = Tool.run arguments in
    succeeds who ended;
    Testing.Text.check_contains who
      ~part:
        (Printf.sprintf
           "weft %s: %s %s, so lines are left out; 'weft trace --rings FILE -- PROGRAM' takes them from \
            another file"
           who program why)
      ended.err
  in
  let both why =
    says why "report" [ "report"; file ];
    says why "trace" [ "trace"; "--rings"; file; "-o"; Filename.concat dir "t.json" ]
  in
  both "has been built anew since the dump";
  Sys.remove program;
  both "is not there";
  check Alcotest.string "its name is told nevertheless" program (about_text (trace_of ~dir file) "program")

(* --- what is wrong --- *)

let test_without_events () =
  Tool.in_folder @@ fun dir ->
  let file = Filename.concat dir "slow.events" in
  let quiet = run_subject (environment ~trace:"" dir) [ "dump"; file; file ] in
  succeeds "no events" quiet;
  check Alcotest.bool "no file" false (Sys.file_exists file);
  check Alcotest.string "told once"
    "weft: Weft.Trace.dump_last: no events are written, so there is no file: start the program with \
     WEFT_TRACE=ring\n"
    quiet.err;
  let other = run_subject (environment ~trace:"rings\n" dir) [ "fib" ] in
  succeeds "another value" other;
  check Alcotest.string "is told" "weft: WEFT_TRACE=rings\\n is ignored: it must be ring\n" other.err

(* It waits for a reader of the pipe. *)
let test_interrupted () =
  dumped @@ fun dir file ->
  let temporary = Filename.concat dir "tmp" and pipe = Filename.concat dir "pipe" in
  Sys.mkdir temporary 0o700;
  Unix.mkfifo pipe 0o600;
  let child = Tool.start ~environment:[ ("TMPDIR", temporary) ] [ "trace"; "--rings"; file; "-o"; pipe ] in
  Testing.Child.wait_for_handler child Sys.sigint;
  Testing.Child.signal child Sys.sigint;
  let ended = Testing.Child.finish child in
  check Alcotest.int ("by the signal: " ^ ended.err) 130 ended.code;
  check Alcotest.(array string) "no copy is left" [||] (Sys.readdir temporary)

let test_folder () =
  let ended = run_subject (environment "/no/such/folder") [ "fib" ] in
  succeeds "no folder for the rings" ended;
  check Alcotest.string "is told"
    "weft: WEFT_TRACE=ring is ignored: no file can be made in /no/such/folder: No such file or directory\n"
    ended.err

let test_unwritable () =
  Tool.in_folder @@ fun dir ->
  let ended = run_subject (environment dir) [ "dump"; "/no/such/folder/slow.events" ] in
  check Alcotest.int "exit code" 2 ended.code;
  Testing.Text.check_contains "the reason" ~part:"/no/such/folder/slow.events: No such file or directory"
    ended.err

let test_wrong_files () =
  dumped @@ fun dir file ->
  let whole = In_channel.with_open_bin file In_channel.input_all in
  let wrong what text =
    let path = Filename.concat dir "wrong" in
    Out_channel.with_open_bin path (fun out -> output_string out text);
    fails what (Tool.run [ "trace"; "--rings"; path; "-o"; Filename.concat dir "w.json" ]);
    check Alcotest.bool "no trace" false (Sys.file_exists (Filename.concat dir "w.json"))
  in
  let length = String.length whole in
  wrong "empty" "";
  wrong "text" (String.make 4096 'x');
  List.iter (fun n -> wrong "cut short" (String.sub whole 0 n)) [ 8; 64; length / 2; length - 1 ];
  (* A ring that would be longer than itself. *)
  let damaged = Bytes.of_string whole in
  Bytes.set_int64_ne damaged (Int64.to_int (Bytes.get_int64_ne damaged 40) + 8) (Int64.of_int max_int);
  wrong "damaged" (Bytes.to_string damaged);
  (* A name without an end. *)
  let head = Option.get (Ring_file.head file) in
  let endless = Bytes.of_string whole in
  Bytes.fill endless head.names_at (length - head.names_at) 'x';
  let path = Filename.concat dir "endless" in
  Out_channel.with_open_bin path (fun out -> Out_channel.output_bytes out endless);
  let ended = Tool.run [ "trace"; "--rings"; path; "-o"; Filename.concat dir "e.json" ] in
  check Alcotest.bool ("no name has an end: " ^ ended.err) true (ended.code = 0 || ended.code = 2);
  fails "its own output" (Tool.run [ "trace"; "--rings"; file; "-o"; file ]);
  check Alcotest.bool "which is as it was" true (In_channel.with_open_bin file In_channel.input_all = whole);
  let pipe = Filename.concat dir "pipe" in
  Unix.mkfifo pipe 0o600;
  fails "a pipe into which nobody writes" (Tool.run [ "trace"; "--rings"; pipe ]);
  fails "the same, reported" (Tool.run [ "report"; pipe ]);
  succeeds "a pipe as the program"
    (Tool.run [ "trace"; "--rings"; file; "-o"; Filename.concat dir "p.json"; "--"; pipe ]);
  fails "missing" (Tool.run [ "trace"; "--rings"; Filename.concat dir "none" ]);
  fails "a folder" (Tool.run [ "trace"; "--rings"; dir ]);
  fails "two programs" (Tool.run [ "trace"; "--rings"; file; "--"; "a"; "b" ]);
  fails "sizes of rings that are made" (Tool.run [ "trace"; "--ring"; "12"; "--rings"; file ])

let tests =
  let case name f = Testing.Watchdog.case name f in
  [
    case "the last events, dumped by the program" test_dump;
    case "weft report reads a dump" test_report;
    case "a dump has no spans of before its beginning" test_beside_another;
    case "the rings' own file is no place for a dump" test_over_rings;
    case "a dump of a forked child" test_child;
    case "rings of a program that still runs" test_running;
    case "a dump takes the place of the one before" test_replaces;
    case "a dump while others write has no gap" test_meanwhile;
    case "what a killed program has left" test_killed;
    case "the rings of a killed program that has dumped them before" test_dumped_and_killed;
    case "a program that has been built anew since, or is gone" test_built_anew;
    case "a dump without events" test_without_events;
    case "no copy is left by Control-C" test_interrupted;
    case "rings where no file can be made" test_folder;
    case "a dump that cannot be written" test_unwritable;
    case "files that hold no rings" test_wrong_files;
  ]
