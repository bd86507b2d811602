(* How tracing ends: by crashes, signals, mistakes; and in which format. *)

open Testing.Text

let check = Alcotest.check
let subject = Tool.program "subject.exe"
let plain = Tool.program "plain.exe"
let with_path ?(name = "t.json") f = Tool.in_folder (fun dir -> f dir (Filename.concat dir name))

let one_line what text =
  match String.split_on_char '\n' text with
  | [ line; "" ] -> line
  | _ -> Alcotest.failf "%s: not one line: %S" what text

let leaves_nothing dir = check Alcotest.(array string) "no file is left" [||] (Sys.readdir dir)
let about_text t name = Yojson.Safe.Util.to_string (File.about t name)
let about_int t name = Yojson.Safe.Util.to_int (File.about t name)

(* --- programs that end badly --- *)

let test_crash () =
  with_path @@ fun _ path ->
  let ended = Tool.run [ "trace"; "-o"; path; "--"; subject; "crash" ] in
  check Alcotest.int "128 and the signal" (128 + 9) ended.code;
  let t = File.read path in
  check Alcotest.string "outcome" "killed" (about_text t "outcome");
  check Alcotest.int "by" 9 (about_int t "code");
  check Alcotest.bool "up to the last moment" true
    (List.exists File.is_unfinished (File.of_category t ~phase:"e" ~name:"last" "region"))

let test_exit () =
  with_path @@ fun _ path ->
  let ended = Tool.run [ "trace"; "-o"; path; "--"; subject; "exit"; "5" ] in
  check Alcotest.int "its exit code" 5 ended.code;
  let t = File.read path in
  check Alcotest.(pair string int) "in the file" ("exited", 5) (about_text t "outcome", about_int t "code");
  check Alcotest.int "the region" 1 (List.length (File.of_category t ~phase:"b" ~name:"last" "region"))

let test_control_c () =
  with_path @@ fun _ path ->
  let tool = Tool.start [ "trace"; "-o"; path; "--"; subject; "interrupted" ] in
  Testing.Child.wait_for_output tool "started";
  Testing.Child.signal tool Sys.sigint;
  let ended = Testing.Child.finish tool in
  check Alcotest.int "the program has seen to it" 7 ended.code;
  let t = File.read path in
  check Alcotest.bool "a whole trace" true (File.of_category t ~name:"turn" "region" <> [])

let test_terminated () =
  with_path @@ fun _ path ->
  let tool = Tool.start [ "trace"; "-o"; path; "--"; subject; "for-ever" ] in
  Testing.Child.wait_for_output tool "started";
  Testing.Child.signal tool Sys.sigterm;
  let ended = Testing.Child.finish tool in
  check Alcotest.int "so is the program" (128 + 15) ended.code;
  check Alcotest.bool "a whole trace" true (File.of_category (File.read path) ~name:"turn" "region" <> [])

(* --- losses --- *)

(* 100,000 events: a reader is fast enough to lose none only by chance. *)
let test_losses () =
  with_path @@ fun _ path ->
  Testing.Watchdog.until_undisturbed "a ring of 1024 words loses events" @@ fun () ->
  let ended = Tool.run [ "trace"; "--ring"; "10"; "-o"; path; "--"; subject; "many"; "100000" ] in
  check Alcotest.int "exit code" 0 ended.code;
  let t = File.read path in
  let lost = File.lost_words t in
  check Alcotest.bool "if so, it is said" (lost > 0)
    (List.exists
       (fun line -> String.starts_with ~prefix:"weft trace: some" line)
       (String.split_on_char '\n' ended.err));
  let marks = File.of_category t "trace" in
  check Alcotest.int "marks tell of all of it" lost
    (List.fold_left (fun sum e -> sum + File.int e "words") 0 marks);
  if lost = 0 then Error "none" else Ok ()

(* --- other programs --- *)

let test_no_program () =
  with_path @@ fun dir path ->
  let ended = Tool.run [ "trace"; "-o"; path; "--"; "./no-such-program" ] in
  check Alcotest.int "exit code" 2 ended.code;
  ignore (one_line "message" ended.err);
  leaves_nothing dir

let test_silent_programs () =
  with_path @@ fun dir path ->
  List.iter
    (fun (program, arguments, code) ->
      let ended = Tool.run ([ "trace"; "-o"; path; "--"; program ] @ arguments) in
      check Alcotest.int (program ^ "'s exit code, or 2") code ended.code;
      ignore (one_line "message" ended.err);
      leaves_nothing dir)
    [ ("true", [], 2); ("false", [], 1); ("sh", [ "-c"; "kill -SEGV $$" ], 128 + 11) ]

let test_plain_ocaml () =
  with_path @@ fun _ path ->
  let ended = Tool.run [ "trace"; "-o"; path; "--"; plain; "collect" ] in
  check Alcotest.int "exit code" 0 ended.code;
  let t = File.read path in
  check Alcotest.bool "collections" true (File.of_category t ~name:"minor" "gc" <> []);
  check Alcotest.int "no jobs" 0 (List.length (File.of_category t "job"));
  let early = Tool.run [ "trace"; "-o"; path; "--"; plain ] in
  check Alcotest.int "its own exit code" 3 early.code

let test_script () =
  with_path @@ fun _ path ->
  let ended = Tool.run [ "trace"; "-o"; path; "--"; "sh"; "-c"; Filename.quote subject ^ " locks; exit 9" ] in
  check Alcotest.int "the script's exit code" 9 ended.code;
  check Alcotest.int "the program's events" 7
    (List.length (File.of_category (File.read path) ~phase:"b" "lock"))

(* --- files --- *)

let test_unwritable () =
  with_path @@ fun dir _ ->
  List.iter
    (fun path ->
      let ended = Tool.run [ "trace"; "-o"; path; "--"; "sh"; "-c"; "echo ran" ] in
      check Alcotest.int "exit code" 2 ended.code;
      ignore (one_line "message" ended.err);
      check Alcotest.string "the program is not run" "" ended.out)
    [ dir; Filename.concat dir "missing/t.json"; "" ];
  leaves_nothing dir

let test_standard_output () =
  with_path @@ fun dir _ ->
  let ended = Tool.run [ "trace"; "-o"; "-"; "--"; subject; "locks" ] in
  check Alcotest.int "that of weft trace is the program's" 2 ended.code;
  check Alcotest.string "the program is not run" "" ended.out;
  ignore (one_line "message" ended.err);
  let environment = [ ("OCAML_RUNTIME_EVENTS_START", "1"); ("OCAML_RUNTIME_EVENTS_DIR", dir) ] in
  let r = Tool.start ~environment ~program:subject [ "for-ever" ] in
  Testing.Child.wait_for_output r "started";
  let ended = Tool.run [ "attach"; string_of_int (Testing.Child.pid r); "-o"; "-"; "--seconds"; "0.1" ] in
  Testing.Child.signal r Sys.sigkill;
  ignore (Testing.Child.finish r);
  check Alcotest.int "that of weft attach is free" 0 ended.code;
  match Yojson.Safe.from_string ended.out with
  | `Assoc members -> check Alcotest.bool "a whole trace" true (List.mem_assoc "otherData" members)
  | _ -> Alcotest.fail "no trace"

(* Repeats [attempt ~seconds], each time for twice as long: on a busy machine the tool gets to read late. *)
let ever_longer what ~seconds attempt =
  let seconds = ref seconds in
  Testing.Watchdog.until_undisturbed what @@ fun () ->
  let result = attempt ~seconds:!seconds in
  seconds := 2. *. !seconds;
  result

(* Runs for so long after the program's first turn. *)
let traced_for_ever ?(options = []) ~seconds path =
  let tool = Tool.start ([ "trace" ] @ options @ [ "-o"; path; "--"; subject; "for-ever" ]) in
  Testing.Child.wait_for_output tool "started";
  Unix.sleepf seconds;
  Testing.Child.signal tool Sys.sigterm;
  Testing.Child.finish tool

let test_processor_time () =
  ever_longer "it grows while the program computes" ~seconds:0.3 @@ fun ~seconds ->
  with_path @@ fun _ path ->
  ignore (traced_for_ever ~seconds path : Testing.Child.ended);
  let has_waiting (e : File.event) = List.mem_assoc "waiting_us" e.arguments in
  let all = File.of_category (File.read path) ~phase:"C" ~name:"process" "machine" in
  match List.filter has_waiting all with
  | first :: rest ->
      check Alcotest.bool "so is the waiting" true
        (List.for_all (fun e -> File.int e "waiting_us" >= 0) (first :: rest));
      let more e = File.int e "cpu_us" > File.int first "cpu_us" in
      if List.exists more rest then Ok () else Error "it does not grow"
  | [] -> if Sys.file_exists "/proc/self/schedstat" then Error "nothing is told" else Ok ()

(* The program may use fewer processors than the tool. *)
let test_pinned () =
  let trial =
    Filename.quote_command "taskset" ~stdout:"/dev/null" ~stderr:"/dev/null" [ "-c"; "0"; "true" ]
  in
  if Sys.command trial <> 0 then print_endline "a pinned program: skipped, taskset does not work here"
  else
    with_path @@ fun _ path ->
    Testing.Watchdog.until_undisturbed "the program is looked at before it ends" @@ fun () ->
    let ended = Tool.run [ "trace"; "-o"; path; "--"; "taskset"; "-c"; "0"; subject; "locks" ] in
    check Alcotest.int ended.err 0 ended.code;
    let all = File.of_category (File.read path) ~phase:"C" ~name:"process" "machine" in
    match List.filter (fun (e : File.event) -> List.mem_assoc "processors" e.arguments) all with
    | [] -> Error (Printf.sprintf "%d events" (List.length all))
    | told ->
        List.iter (fun e -> check Alcotest.int "one" 1 (File.int e "processors")) told;
        Ok ()

let test_full () =
  (* The program ends normally, but its trace could not be written. *)
  if Sys.file_exists "/dev/full" then begin
    let ended = Tool.run [ "trace"; "-o"; "/dev/full"; "--"; subject; "many"; "50000" ] in
    check Alcotest.int "exit code" 2 ended.code;
    let own = Tool.run [ "trace"; "-o"; "/dev/full"; "--"; subject; "exit"; "5" ] in
    check Alcotest.int "its own exit code" 5 own.code
  end

let test_old_file_stays () =
  with_path @@ fun _ path ->
  Out_channel.with_open_bin path (fun o -> Out_channel.output_string o "old");
  let ended = Tool.run [ "trace"; "-o"; path; "--"; "true" ] in
  check Alcotest.int "exit code" 2 ended.code;
  check Alcotest.string "as it was" "old" (In_channel.with_open_bin path In_channel.input_all)

let test_last () =
  ever_longer "something was before what is shown" ~seconds:0.4 @@ fun ~seconds ->
  with_path @@ fun _ path ->
  let ended = traced_for_ever ~options:[ "--last"; "0.05" ] ~seconds path in
  let t = File.read path in
  check Alcotest.bool
    ("what is in the file is counted: " ^ ended.err)
    true
    (contains (Printf.sprintf "%d events" (about_int t "events")) ended.err);
  let until =
    List.fold_left
      (fun last (e : File.event) ->
        if e.category = "machine" then last else Float.max last (e.time +. e.length))
      0. t.events
  in
  let first = List.fold_left (fun first (e : File.event) -> Float.min first e.time) infinity t.events in
  if first < until -. 50_001. then Alcotest.failf "an event from %f us before the end" (until -. first);
  check (Alcotest.float 0.) "it says how much it shows" 0.05
    (Yojson.Safe.Util.to_number (File.about t "last_s"));
  let begins_with_what_was (category, name) =
    let is_it (e : File.event) = e.time = first && e.id = "0" in
    List.exists is_it (File.of_category t ~phase:"C" ~name category)
  in
  if File.of_category t ~name:"turn" "region" = [] then Error "no turn"
  else
    match List.filter (Fun.negate begins_with_what_was) [ ("counter", "forks"); ("machine", "process") ] with
    | [] -> Ok ()
    | (_, name) :: _ -> Error (name ^ " is not as it was before")

(* Reads the words of Fuchsia's format: the number of records of each type, and of events of each kind. *)
let fuchsia path =
  let text = In_channel.with_open_bin path In_channel.input_all in
  let word at = String.get_int64_le text at in
  let field at low bits =
    Int64.to_int
      (Int64.logand (Int64.shift_right_logical (word at) low) (Int64.pred (Int64.shift_left 1L bits)))
  in
  check Alcotest.bool "the magic number" true (word 0 = 0x0016547846040010L);
  let kinds = Hashtbl.create 16 and strings = Hashtbl.create 64 in
  let rec read at =
    if at < String.length text then begin
      let size = 8 * field at 4 12 in
      if size = 0 || at + size > String.length text then Alcotest.failf "a record of %d bytes at %d" size at;
      (match field at 0 4 with
      | 2 -> Hashtbl.replace strings (field at 16 15) (String.sub text (at + 8) (field at 32 15))
      | 4 ->
          let category = Hashtbl.find strings (field at 32 16) and kind = field at 16 4 in
          let key = (category, kind) in
          Hashtbl.replace kinds key (1 + Option.value (Hashtbl.find_opt kinds key) ~default:0)
      | 0 | 1 | 3 | 7 -> ()
      | other -> Alcotest.failf "a record of type %d" other);
      read (at + size)
    end
  in
  read 0;
  kinds

let test_fuchsia () =
  with_path ~name:"t.fxt" @@ fun _ path ->
  let ended = Tool.run [ "trace"; "-o"; path; "--"; subject; "locks" ] in
  check Alcotest.int "exit code" 0 ended.code;
  let kinds = fuchsia path in
  let count category kind = Option.value (Hashtbl.find_opt kinds (category, kind)) ~default:0 in
  check Alcotest.int "waits begin" 7 (count "lock" 5);
  check Alcotest.int "and end" 7 (count "lock" 7);
  check Alcotest.bool "jobs" true (count "job" 4 > 0);
  check Alcotest.bool "counters" true (count "counter" 1 > 0);
  check Alcotest.int "the end" 1 (count "trace" 0)

(* --- attaching --- *)

let running ?environment program arguments f =
  let r = Tool.start ?environment ~program arguments in
  Testing.Child.wait_for_output r "started";
  Fun.protect
    ~finally:(fun () ->
      Testing.Child.signal r Sys.sigkill;
      ignore (Testing.Child.finish r))
    (fun () -> f r)

let attached r path options =
  Tool.run ([ "attach"; string_of_int (Testing.Child.pid r); "-o"; path ] @ options)

let check_attached r path =
  ever_longer "a turn is seen" ~seconds:0.5 @@ fun ~seconds ->
  let ended = attached r path [ "--seconds"; string_of_float seconds ] in
  check Alcotest.int ended.err 0 ended.code;
  let t = File.read path in
  check Alcotest.string "it goes on" "running" (about_text t "outcome");
  check Alcotest.string "attached" "attach" (about_text t "by");
  check Alcotest.int "what was before is no loss" 0 (File.lost_words t);
  if File.of_category t ~phase:"b" ~name:"turn" "region" = [] then Error "none" else Ok ()

let test_attach () =
  with_path @@ fun dir path ->
  let environment =
    [ ("OCAML_RUNTIME_EVENTS_START", "1"); ("OCAML_RUNTIME_EVENTS_DIR", dir); ("OCAMLRUNPARAM", "e=12") ]
  in
  running ~environment subject [ "many-and-calm" ] @@ fun r ->
  check_attached r path;
  (* The program can be attached once more. *)
  check_attached r path

let test_attach_started () =
  with_path @@ fun dir path ->
  running ~environment:[ ("OCAML_RUNTIME_EVENTS_DIR", dir) ] subject [ "start" ] @@ fun r ->
  check_attached r path

let test_attach_to_the_end () =
  with_path @@ fun dir path ->
  let environment = [ ("OCAML_RUNTIME_EVENTS_START", "1"); ("OCAML_RUNTIME_EVENTS_DIR", dir) ] in
  running ~environment subject [ "for-ever" ] @@ fun r ->
  let tool = Tool.start [ "attach"; string_of_int (Testing.Child.pid r); "-o"; path ] in
  (* When it has a handler, it has attached itself. *)
  Testing.Child.wait_for_handler tool Sys.sigterm;
  Testing.Child.signal r Sys.sigkill;
  let ended = Testing.Child.finish tool in
  check Alcotest.int "exit code" 0 ended.code;
  check Alcotest.string "it has ended" "ended" (about_text (File.read path) "outcome")

let test_attach_to_nothing () =
  with_path @@ fun dir path ->
  let failing what pid =
    let ended = Tool.run [ "attach"; pid; "-o"; path; "--seconds"; "0.1" ] in
    check Alcotest.int what 2 ended.code;
    let line = one_line what ended.err in
    check Alcotest.bool line true (String.starts_with ~prefix:"weft attach: " line);
    leaves_nothing dir
  in
  failing "no such process" "999999999";
  running plain [ "wait" ] (fun r -> failing "no events" (string_of_int (Testing.Child.pid r)))

let tests =
  let case name f = Testing.Watchdog.case name f in
  [
    case "a crash leaves a whole trace" test_crash;
    case "an early exit leaves a whole trace, with its code" test_exit;
    case "Control-C goes to the program" test_control_c;
    case "other signals go to the program" test_terminated;
    case "losses are counted, marked and said" test_losses;
    case "a program that does not exist" test_no_program;
    case "programs that write no events" test_silent_programs;
    case "programs without Weft" test_plain_ocaml;
    case "a script that starts a program" test_script;
    case "a file that cannot be made" test_unwritable;
    case "standard output" test_standard_output;
    case "what the program had of the processors" test_processor_time;
    case "how many of them it might use" test_pinned;
    case "a disk that is full" test_full;
    case "without a trace, an old file stays" test_old_file_stays;
    case "the last moments only" test_last;
    case "Fuchsia's format" test_fuchsia;
    case "attaching, twice" test_attach;
    case "attaching to a program that has started events by itself" test_attach_started;
    case "attaching until the program ends" test_attach_to_the_end;
    case "attaching to nothing" test_attach_to_nothing;
  ]
