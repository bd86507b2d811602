(* weft live: its sums, its view, and the program itself in a terminal (tmux), if there is one. *)

open Weft_live
open Testing.Text
module Wire = Weft_trace.Wire

let program = Sys.argv.(1)
let busy = Filename.concat (Sys.getcwd ()) "busy.exe"
let case name f = Testing.Watchdog.case name f
let check what = Alcotest.(check bool) what true

(* {1 The meter} *)

let ms = 1_000_000

let step meter ring time move =
  Meter.step meter ~ring ~time:(time * ms) { Wire.worker = ring; jobs = 1; at_hand = 0; move }

let runs : Wire.move = Runs { origin = Own; resumed = false }
let stolen : Wire.move = Runs { origin = Stolen 0; resumed = false }

let shares () =
  let meter = Meter.create ~started:0 in
  let joined worker : Wire.note =
    Joined { worker; index = worker; forks = 10; pool = "default"; returned = false }
  in
  List.iter (fun ring -> Meter.note meter ~ring ~time:0 (joined ring)) [ 0; 1 ];
  step meter 0 0 runs;
  step meter 1 0 Searches;
  step meter 1 10 stolen;
  Meter.phase_begins meter ~ring:1 ~time:(20 * ms) "stw_handler";
  Meter.phase_begins meter ~ring:1 ~time:(21 * ms) "minor";
  Meter.phase_ends meter ~ring:1 ~time:(29 * ms) "minor";
  Meter.phase_ends meter ~ring:1 ~time:(30 * ms) "stw_handler";
  step meter 1 50 Parks;
  Meter.phase_begins meter ~ring:1 ~time:(60 * ms) "minor";
  Meter.phase_ends meter ~ring:1 ~time:(70 * ms) "minor";
  let shown (s : Sample.t) =
    List.map
      (fun (w : Sample.worker) ->
        List.map
          (fun x -> Float.to_int (Float.round (100. *. x)))
          [ w.running; w.collecting; w.searching; w.parked ])
      s.workers
  in
  let s = Meter.sample meter ~now:(100 * ms) in
  Alcotest.(check (list (list int)))
    "running, collecting, searching, parked"
    [ [ 100; 0; 0; 0 ]; [ 30; 10; 10; 50 ] ]
    (shown s);
  Alcotest.(check (float 0.1)) "steals per second" 10. s.steals;
  Alcotest.(check (float 0.1)) "parks per second" 10. s.parks;
  Alcotest.(check (option (float 0.1))) "forks per second" (Some 200.) s.forks;
  let s = Meter.sample meter ~now:(200 * ms) in
  Alcotest.(check (list (list int)))
    "a job that goes on shows"
    [ [ 100; 0; 0; 0 ]; [ 0; 0; 0; 100 ] ]
    (shown s);
  Alcotest.(check (option (float 0.1))) "forks were not told again" None s.forks;
  Meter.note meter ~ring:1 ~time:(200 * ms)
    (Left { worker = 1; index = 1; forks = 30; pool = "default"; retired = true; jobs = 0 });
  let s = Meter.sample meter ~now:(300 * ms) in
  Alcotest.(check (list (list int)))
    "a worker that has left does nothing"
    [ [ 100; 0; 0; 0 ]; [ 0; 0; 0; 0 ] ]
    (shown s);
  Alcotest.(check (option (float 0.1))) "since they were told last" (Some 100.) s.forks

(* A worker whose join event was lost has a number; its pool does not count as another one. *)
let unknown () =
  let meter = Meter.create ~started:0 in
  Meter.note meter ~ring:0 ~time:0
    (Joined { worker = 0; index = 0; forks = 0; pool = "default"; returned = false });
  step meter 0 0 runs;
  step meter 5 0 runs;
  let s = Meter.sample meter ~now:(100 * ms) in
  Alcotest.(check (list string))
    "names" [ "worker 0"; "worker number 5" ]
    (List.sort compare (List.map (fun (w : Sample.worker) -> w.name) s.workers))

(* {1 Waits} *)

let waits () =
  let meter = Meter.create ~started:0 in
  let begins time id what about =
    Meter.note meter ~ring:0 ~time:(time * ms)
      (Wait_begins { id; what; about; name = ""; fiber = 0; place = 0 })
  and ends time id = Meter.ended meter ~time:(time * ms) Wait id in
  let places = List.map (fun (p : Waits.place) -> (p.what, p.about, p.waits, p.longest / ms, p.total / ms)) in
  let check_places = Alcotest.(check (list (pair (pair string int) (triple int int int)))) in
  let check_places what expected found =
    let shaped = List.map (fun (what, about, n, longest, total) -> ((what, about), (n, longest, total))) in
    check_places what (shaped expected) (shaped (places found))
  in
  begins 0 1 "lock" 3;
  begins 10 2 "lock" 3;
  begins 20 3 "recv" 4;
  ends 50 3;
  let s = Meter.sample meter ~now:(100 * ms) in
  check_places "those that go on" [ ("lock", 3, 2, 100, 190) ] s.waiting;
  check_places "all" [ ("lock", 3, 2, 100, 190); ("recv", 4, 1, 30, 30) ] (Meter.waits meter);
  (* Their ends may be among what was lost. *)
  Meter.lost meter 8;
  let s = Meter.sample meter ~now:(200 * ms) in
  check_places "of lost events nothing is claimed" [] s.waiting

let summed_up () =
  let meter = Meter.create ~started:0 in
  Meter.note meter ~ring:0 ~time:0
    (Joined { worker = 0; index = 0; forks = 0; pool = "default"; returned = false });
  step meter 0 0 runs;
  let half = Meter.sample meter ~now:(100 * ms) in
  step meter 0 100 Parks;
  let rest = Meter.sample meter ~now:(400 * ms) in
  let summary = List.fold_left Summary.add Summary.empty [ half; rest ] in
  Alcotest.(check (list string))
    "the samples together"
    [
      "in 0.4 s: 2 jobs, 0 steals, 0 suspensions, 0 minor collections";
      "worker 0 run 25 gc 0 search 0 park 75";
      "the longest wait in Weft.Mutex.lock (account): 1.2 s (2 of them, 1.5 s together)";
    ]
    (Summary.lines summary
       ~waits:
         [
           {
             what = "Weft.Mutex.lock";
             about = 3;
             name = "account";
             waits = 2;
             longest = 1_200 * ms;
             total = 1_500 * ms;
           };
         ]);
  Alcotest.(check (list string)) "of nothing, nothing" [] (Summary.lines Summary.empty ~waits:[])

(* {1 The view} *)

let sample workers : Sample.t =
  let worker i : Sample.worker =
    {
      name = Printf.sprintf "worker %d" i;
      running = 0.5;
      collecting = 0.1;
      searching = 0.004;
      parked = 0.396;
    }
  in
  {
    seconds = 12.3;
    span = 0.25;
    workers = List.init workers worker;
    forks = Some 1.2e7;
    jobs = 1234.;
    steals = 3.;
    parks = 0.2;
    wakes = 0.;
    suspensions = 99_999.;
    minor = 250.;
    promoted = 1e6;
    heap = 1.5e7;
    waiting =
      [
        {
          what = "Weft.Mutex.lock";
          about = 3;
          name = "";
          waits = 2;
          longest = 1_200 * ms;
          total = 1_500 * ms;
        };
      ];
    lost = 12;
  }

(* The number of columns, and whether the terminal would get only text and colours. *)
let columns line =
  let rec go i n =
    if i >= String.length line then n
    else if line.[i] = '\027' then (
      let stop = String.index_from line i 'm' in
      String.iter
        (fun c -> check "a colour" (contains (String.make 1 c) "\027[0123456789;m"))
        (String.sub line i (stop + 1 - i));
      go (stop + 1) n)
    else (
      check "printable" (line.[i] >= ' ' && line.[i] <= '~');
      go (i + 1) (n + 1))
  in
  go 0 0

let fits () =
  let view = View.add (View.create ~command:("./x\027[2J " ^ String.make 300 'y') ~pid:4711) (sample 40) in
  let output = List.init 60 (fun i -> Printf.sprintf "line %d \027[31m\b\r\255 %s" i (String.make 200 'z')) in
  List.iter
    (fun (width, height) ->
      List.iter
        (fun colours ->
          let lines = View.frame view ~colours ~width ~height ~output in
          check (Printf.sprintf "%d lines" height) (List.length lines <= height);
          List.iter
            (fun line -> check (Printf.sprintf "%d columns: %s" width line) (columns line <= width))
            lines)
        [ true; false ])
    [ (80, 24); (200, 60); (40, 12); (20, 5); (1, 1); (100, 8) ]

let bars () =
  let view = View.add (View.create ~command:"x" ~pid:1) (sample 1) in
  let lines = View.frame view ~colours:false ~width:76 ~height:24 ~output:[] in
  let bar = List.nth lines 2 in
  Alcotest.(check string)
    "one letter for a state" "worker 0     [################GGG.............] run  50 gc  10 se   0 pa  40"
    bar;
  check "what is waited for" (List.mem "Weft.Mutex.lock (object 3): 2 wait, the longest for 1.2 s" lines)

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
  check "a summary" (contains "minor collections\nweft live: worker 0 run " (read ()));
  (* What the first view has written is not to be taken for the second one's. *)
  Out_channel.with_open_bin errors ignore;
  let second = watch () in
  Testing.Watchdog.until "it is watched again" (fun () -> contains "worker 1 run " (read ()));
  end_it ();
  Alcotest.(check int) "the end of the program ends the view" 0 (Testing.Child.finish second).code;
  Alcotest.(check int) "its own exit code" 7 (Testing.Child.finish traced).code

let no_process () =
  let code, out, err = run_to_files [ "4194305" ] in
  Alcotest.(check int) "exit code" 2 code;
  Alcotest.(check string) "nothing on standard output" "" out;
  Alcotest.(check string) "a line" "weft live: there is no process 4194305\n" err

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
      contains "\nline 3\n" text && contains "\nthe end\n" text && contains "\ncode 5\n" text)

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
      ( "view",
        [
          case "what workers do is added up" shares;
          case "a fiber that is not known is no other pool" unknown;
          case "waits that go on, and all" waits;
          case "a summary adds the samples up" summed_up;
          case "a frame fits, and controls nothing but colours" fits;
          case "a bar shows the shares" bars;
        ] );
      ( "program",
        [
          case "without a terminal: lines, and the program's own output" no_terminal;
          case "what cannot be watched gets one line" bad_programs;
          case "a process that runs already" by_number;
          case "no such process" no_process;
          case "to the end: its output, its exit code" (in_terminal (live "7") to_the_end);
          case "q leaves, the program goes on" (in_terminal (live "5") left);
          case "q leaves before the first event, too"
            (in_terminal (program ^ " live -- sh -c 'until [ -e over ]; do sleep 0.01; done'") left_early);
          case "Control-C is the program's" (in_terminal (live "5") interrupted);
          case "output that goes elsewhere is not caught" (in_terminal (live "0 >output") redirected);
        ] );
    ]
