(* The text of the view. *)

open Weft_live
open Testing.Text

let case name f = Testing.Watchdog.case name f
let check what = Alcotest.(check bool) what true
let ms = 1_000_000

let sample workers : Sample.t =
  let worker i : Sample.worker =
    {
      number = i;
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
          let lines = View.frame view ~colours ~width ~height ~output:(Some output) in
          check (Printf.sprintf "%d lines" height) (List.length lines <= height);
          List.iter
            (fun line -> check (Printf.sprintf "%d columns: %s" width line) (columns line <= width))
            lines)
        [ true; false ])
    [ (80, 24); (200, 60); (40, 12); (20, 5); (1, 1); (100, 8) ]

let bars () =
  let view = View.add (View.create ~command:"x" ~pid:1) (sample 1) in
  let lines = View.frame view ~colours:false ~width:76 ~height:24 ~output:(Some []) in
  let bar = List.nth lines 2 in
  Alcotest.(check string)
    "one letter for a state" "worker 0     [################GGG.............] run  50 gc  10 se   0 pa  40"
    bar;
  check "what is waited for"
    (List.mem "Weft.Mutex.lock (object 3): 2 fibers wait, the longest for 1.20 s" lines);
  let has_pane = List.exists (String.starts_with ~prefix:"-- what it writes") in
  check "what it writes" (has_pane lines);
  let lines = View.frame view ~colours:false ~width:76 ~height:24 ~output:None in
  check "if that is known" (not (has_pane lines))

let tests = [ case "a frame fits, and controls nothing but colours" fits; case "a bar shows the shares" bars ]
