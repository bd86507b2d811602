(* weft live: its sums, its view, and the program itself in a terminal (tmux), if there is one. *)

open Testing.Text

let program = Sys.argv.(1)
let busy = Filename.concat (Sys.getcwd ()) "busy.exe"
let case name f = Testing.Watchdog.case name f
let check what = Alcotest.(check bool) what true

(* {1 The program, without a terminal} *)

let run_to_files arguments =
  let { Testing.Child.code; out; err; _ } = Testing.Child.run program ("live" :: arguments) in
  (code, out, err)

(* The watched program ends when this file exists. *)
let over = "over"
let end_it () = Out_channel.with_open_bin over ignore
let until_over f = Fun.protect f ~finally:(fun () -> if Sys.file_exists over then Sys.remove over)

let no_terminal () =
  until_over @@ fun () ->
  Testing.Child.with_temp_file @@ fun errors ->
  let command =
    Filename.quote_command program [ "live"; "--every"; "0.1"; "--"; busy; over; "7" ] ~stderr:errors
  in
  let child = Testing.Child.start "sh" [ "-c"; "exec " ^ command ] in
  let read () = In_channel.with_open_bin errors In_channel.input_all in
  Testing.Watchdog.until "lines about the workers" (fun () ->
      let err = read () in
      contains "weft live: " err && contains "worker 0 run " err && contains "worker 1 run " err);
  end_it ();
  let { Testing.Child.code; out; _ } = Testing.Child.finish child in
  let err = read () in
  Alcotest.(check int) "the program's exit code" 7 code;
  Alcotest.(check string) "its output is its own, and nothing else" "line 1\nline 2\nline 3\n" out;
  check "its errors pass" (contains "the end\n" err)

(* It runs already, and goes on after the view has ended. *)
let by_number () =
  until_over @@ fun () ->
  Testing.Child.with_temp_file @@ fun errors ->
  let env = [ ("OCAML_RUNTIME_EVENTS_START", "1"); ("OCAML_RUNTIME_EVENTS_DIR", ".") ] in
  let traced = Testing.Child.start ~env busy [ over; "7" ] in
  let pid = string_of_int (Testing.Child.pid traced) in
  let read () = In_channel.with_open_bin errors In_channel.input_all in
  let watch () =
    let command = Filename.quote_command program [ "live"; "--every"; "0.1"; pid ] ~stderr:errors in
    Testing.Child.start "sh" [ "-c"; "exec " ^ command ]
  in
  Testing.Watchdog.until "it writes events" (fun () ->
      Weft_insight_trace.(Rings.is_ready (Rings.path ~dir:"." ~pid:(int_of_string pid))));
  let first = watch () in
  Testing.Watchdog.until "lines about the workers" (fun () -> contains "worker 1 run " (read ()));
  Unix.kill (Testing.Child.pid first) Sys.sigint;
  let { Testing.Child.code; _ } = Testing.Child.finish first in
  Alcotest.(check int) "Control-C ends the view" 0 code;
  check "a summary" (contains "\nweft live: in " (read ()) && contains "\nweft live: worker 0 run " (read ()));
  (* What the first view has written is not to be taken for the second one's. *)
  Out_channel.with_open_bin errors ignore;
  let second = watch () in
  Testing.Watchdog.until "it is watched again" (fun () -> contains "worker 1 run " (read ()));
  end_it ();
  Alcotest.(check int) "the end of the program ends the view" 0 (Testing.Child.finish second).code;
  Alcotest.(check int) "its own exit code" 7 (Testing.Child.finish traced).code

let no_process () =
  List.iter
    (fun number ->
      let code, out, err = run_to_files [ number ] in
      Alcotest.(check int) "exit code" 2 code;
      Alcotest.(check string) "nothing on standard output" "" out;
      Alcotest.(check string) "a line" (Printf.sprintf "weft live: there is no process %s\n" number) err)
    (* The last one is 1, for who reads 32 bits of it. *)
    [ "4194305"; "0"; "4294967297" ]

(* The process goes on; nobody waits for its end. *)
let damaged_rings () =
  until_over @@ fun () ->
  let env = [ ("OCAML_RUNTIME_EVENTS_START", "1"); ("OCAML_RUNTIME_EVENTS_DIR", ".") ] in
  let traced = Testing.Child.start ~env busy [ over; "7" ] in
  let pid = Testing.Child.pid traced in
  let rings = Weft_insight_trace.Rings.path ~dir:"." ~pid in
  Testing.Watchdog.until "it writes events" (fun () -> Weft_insight_trace.Rings.is_ready rings);
  (* The version: the runtime does not read it again. *)
  let fd = Unix.openfile rings [ O_WRONLY ] 0 in
  ignore (Unix.write fd (Bytes.make 8 '\127') 0 8 : int);
  Unix.close fd;
  let code, _, err = run_to_files [ string_of_int pid ] in
  Alcotest.(check int) "exit code" 2 code;
  Alcotest.(check string)
    "a line"
    (Printf.sprintf
       "weft live: the rings of process %d cannot be read: the head of their file does not fit the rest\n" pid)
    err;
  end_it ();
  Alcotest.(check int) "the process has gone on" 7 (Testing.Child.finish traced).code

let bad_programs () =
  let one_line what ~code arguments =
    let found, out, err = run_to_files ("--" :: arguments) in
    Alcotest.(check int) (what ^ ": exit code") code found;
    Alcotest.(check string) (what ^ ": nothing on standard output") "" out;
    Alcotest.(check int) (what ^ ": one line") 1 (List.length (String.split_on_char '\n' (String.trim err)));
    check (what ^ ": " ^ err) (String.starts_with ~prefix:"weft live: " err)
  in
  one_line "missing" ~code:2 [ "/nowhere/program" ];
  one_line "no OCaml" ~code:2 [ "/bin/true" ];
  one_line "no OCaml, failing" ~code:1 [ "/bin/false" ]

(* A file with one ring, in which there is an event that is longer than events can be. *)
let damaged_later () =
  Testing.Folder.within "rings" @@ fun dir ->
  let bytes = Bytes.make (2400 + (8192 * 128)) '\000' in
  let word at n = Bytes.set_int64_ne bytes at n in
  List.iteri (fun i n -> word (8 * i) (Int64.of_int n)) [ 1; 1; 80; 1024; 128; 64; 256; 2400 ];
  word 72 5L (* the ring's tail *);
  word 256 (-1L);
  Out_channel.with_open_bin (Weft_insight_trace.Rings.path ~dir ~pid:1) (fun out -> output_bytes out bytes);
  match Weft_live.(Source.open_ ~dir ~pid:1 (Meter.create ~started:0)) with
  | Error why -> Alcotest.fail why
  | Ok source ->
      Alcotest.(check (option string)) "not noticed yet" None (Weft_live.Source.damaged source);
      Weft_live.Source.poll source;
      check "noticed" (Option.is_some (Weft_live.Source.damaged source));
      Weft_live.Source.drain source;
      Weft_live.Source.close source

(* {1 In a terminal} *)

let tmux =
  List.exists
    (fun folder -> Sys.file_exists (Filename.concat folder "tmux"))
    (String.split_on_char ':' (Option.value ~default:"" (Sys.getenv_opt "PATH")))

(* Each test has a tmux server of its own: one that is about to end may still accept a new client. *)
let tests = ref 0
let socket () = Printf.sprintf "weft-live-%d-%d" (Unix.getpid ()) !tests

let tmux_call arguments =
  let channel =
    Unix.open_process_args_in "tmux"
      (Array.of_list ("tmux" :: "-f" :: "/dev/null" :: "-L" :: socket () :: arguments))
  in
  let text = In_channel.input_all channel in
  ignore (Unix.close_process_in channel : Unix.process_status);
  text

let screen () = tmux_call [ "capture-pane"; "-p"; "-t"; "t" ]
let keys all = ignore (tmux_call ("send-keys" :: "-t" :: "t" :: all) : string)

let until what condition =
  let shown = ref "" in
  Testing.Watchdog.during (fun () -> Printf.sprintf "waits for %s; the screen:\n%s" what !shown) @@ fun () ->
  let rec again () =
    shown := screen ();
    if not (condition !shown) then (
      Unix.sleepf 0.05;
      again ())
  in
  again ()

(* A shell with the command typed in, and after it a command that shows whether the terminal is as before. *)
let in_terminal command f () =
  if not tmux then print_endline "skipped, no tmux here"
  else (
    incr tests;
    until_over @@ fun () ->
    ignore (tmux_call [ "new-session"; "-d"; "-s"; "t"; "-x"; "100"; "-y"; "70"; "env PS1='$ ' sh" ] : string);
    Fun.protect ~finally:(fun () -> ignore (tmux_call [ "kill-server" ] : string)) @@ fun () ->
    until "a prompt" (String.starts_with ~prefix:"$");
    keys
      [
        Printf.sprintf "stty -a >before; %s; echo code $?; stty -a | cmp - before && echo same" command;
        "Enter";
      ];
    f ();
    until "the terminal is given back" (contains "\nsame\n");
    check "the view has gone" (not (contains "weft live  " (screen ())));
    Sys.remove "before")

let live arguments = Printf.sprintf "%s live -- %s %s %s" program busy over arguments
let view_is_there text = contains "weft live  busy.exe" text && contains "worker 1 " text && contains "#" text

let to_the_end () =
  until "the view" view_is_there;
  end_it ();
  until "the last lines of the program" (contains "\nline 3\n");
  until "its exit code" (contains "\ncode 7\n");
  let text = screen () in
  check "all its output"
    (contains "\nline 1\n" text && contains "\nline 2\n" text && contains "\nthe end\n" text)

let left () =
  until "the view" view_is_there;
  keys [ "q" ];
  until "what it has written" (fun text -> contains "\nline 1\n" text && not (view_is_there text));
  end_it ();
  until "the rest, and its exit code" (fun text ->
      contains "\nline 3\n" text && contains "\nthe end\n" text && contains "\ncode 5\n" text);
  check "the summary is of the time before" (contains " s, until 'q': " (screen ()))

(* Its rings may not be there at first. *)
let by_number_in_terminal =
  Printf.sprintf
    "OCAML_RUNTIME_EVENTS_START=1 OCAML_RUNTIME_EVENTS_DIR=. %s %s 0 >/dev/null 2>&1 & until %s live $!; do \
     sleep 0.1; done; wait"
    busy over program

let left_process () =
  until "the view" view_is_there;
  check "its output is not known" (not (contains "-- what it writes" (screen ())));
  keys [ "q" ];
  until "a summary" (contains "\nweft live: worker 1 run ");
  check "of all the time" (not (contains "until 'q'" (screen ())));
  end_it ();
  until "the process has ended" (contains "\ncode 0\n")

(* The program has not written any event yet, and may do so later. *)
let left_early () =
  until "a view without workers" (contains "weft live  sh");
  keys [ "q" ];
  end_it ();
  until "its exit code" (contains "\ncode 0\n");
  check "nothing false is said" (not (contains "wrote no events" (screen ())))

let interrupted () =
  until "the view" view_is_there;
  keys [ "C-c" ];
  until "the program has noticed" (fun text -> contains "\ninterrupted\n" text && contains "\ncode 3\n" text)

let redirected () =
  until "the view" view_is_there;
  end_it ();
  until "its exit code" (contains "\ncode 0\n");
  let text = In_channel.with_open_bin "output" In_channel.input_all in
  Sys.remove "output";
  Alcotest.(check string) "standard output went to its file alone" "line 1\nline 2\nline 3\n" text;
  until "the errors on the terminal" (contains "\nthe end\n")

let () =
  Alcotest.run ~argv:[| "test_live"; "--compact" |] "weft live"
    [
      ("sums", Test_meter.tests);
      ("view", Test_view.tests);
      ( "program",
        [
          case "without a terminal: lines, and the program's own output" no_terminal;
          case "what cannot be watched gets one line" bad_programs;
          case "a process that runs already" by_number;
          case "no such process" no_process;
          case "a process whose rings are damaged" damaged_rings;
          case "rings that turn out to be damaged" damaged_later;
          case "to the end: its output, its exit code" (in_terminal (live "7") to_the_end);
          case "q leaves, the program goes on" (in_terminal (live "5") left);
          case "q leaves a process that runs already" (in_terminal by_number_in_terminal left_process);
          case "q leaves before the first event, too"
            (in_terminal (program ^ " live -- sh -c 'until [ -e over ]; do sleep 0.01; done'") left_early);
          case "Control-C is the program's" (in_terminal (live "5") interrupted);
          case "output that goes elsewhere is not caught" (in_terminal (live "0 >output") redirected);
        ] );
    ]
