type t = { name : string; seeds : string list; read : string -> (unit, string) result }

module Foreign_text = Weft_files.Foreign_text

let ( let* ) = Result.bind
let corpus name = In_channel.with_open_bin (Filename.concat "corpus" name) In_channel.input_all

let with_file text f =
  Testing.Child.with_temp_file @@ fun path ->
  Out_channel.with_open_bin path (fun out -> output_string out text);
  f path

(* {1 What is shown} *)

let check_shown text =
  List.iter
    (fun line -> if not (Foreign_text.is_plain line) then failwith (Printf.sprintf "shown: %S" line))
    (String.split_on_char '\n' text)

let check_json text =
  if not (String.is_valid_utf_8 text) then failwith "JSON that is not UTF-8";
  ignore (Yojson.Safe.from_string text : Yojson.Safe.t)

(* No element, attribute or comment comes from the file: there are as many as in the page of a correct one. *)
let occurrences part text =
  let n = String.length part in
  let rec from i count =
    if i + n > String.length text then count
    else if String.equal (String.sub text i n) part then from (i + n) (count + 1)
    else from (i + 1) count
  in
  from 0 0

let check_page ~scripts page =
  let lower = String.lowercase_ascii page in
  List.iter
    (fun (part, n) ->
      let found = occurrences part lower in
      if found <> n then failwith (Printf.sprintf "%d times %S in the page, not %d" found part n))
    [ ("<script", scripts); ("</script", scripts); ("javascript:", 0) ];
  check_shown (String.map (function '\t' -> ' ' | c -> c) page)

let check_cells text =
  let cells = List.concat_map (String.split_on_char ',') (String.split_on_char '\n' text) in
  List.iter
    (fun cell ->
      let is_number = Option.is_some (float_of_string_opt cell) in
      let is_numbers =
        List.for_all (fun s -> float_of_string_opt s <> None) (String.split_on_char ' ' cell)
      in
      if cell <> "" && String.contains "=+-@" cell.[0] && not (is_number || is_numbers) then
        failwith (Printf.sprintf "the cell %S" cell))
    cells

(* Nothing outside of the constants in single quotes is the file's. *)
let check_script commands =
  let outside line =
    List.filteri (fun i _ -> i mod 2 = 0) (String.split_on_char '\'' line) |> String.concat ""
  in
  let check line =
    if occurrences "'" line mod 2 = 1 then failwith (Printf.sprintf "an open quote: %s" line);
    List.iter
      (fun part -> if occurrences part (outside line) > 0 then failwith (Printf.sprintf "a command: %s" line))
      [ "system"; "`"; "!"; "\""; "load"; ";" ]
  in
  List.iter check (String.split_on_char '\n' commands)

let written write =
  Testing.Child.with_temp_file @@ fun path ->
  Out_channel.with_open_bin path write;
  In_channel.with_open_bin path In_channel.input_all

(* {1 The readers} *)

let trace =
  let read text =
    with_file text @@ fun path ->
    let* trace = Weft_report.Trace.load path in
    let analysis = Weft_report.Analysis.of_trace ~file:path trace in
    check_shown (Weft_report.Report_text.of_analysis analysis);
    check_json (Yojson.Safe.pretty_to_string ~std:true (Weft_report.Report_json.of_analysis analysis));
    check_page ~scripts:3 (written (fun out -> Weft_report.Timeline.write out analysis));
    Ok ()
  in
  let seeds =
    Made_traces.Made.
      [
        locked;
        collecting;
        last;
        crowded;
        lost_start ~by_number:"number" ~workers:[ (17, 0); (18, 1) ];
        blocked;
      ]
  in
  { name = "traces"; seeds; read }

let results =
  let read text =
    with_file text @@ fun path ->
    let* run = Weft_bench_plots.Run.read path in
    let* results = Weft_bench_results.Results.read path in
    check_cells (Weft_bench_results.Csv.of_results results);
    check_json (Yojson.Safe.to_string (Weft_bench_results.Google.of_results results));
    check_json (Yojson.Safe.to_string (Weft_bench_results.Results.to_json results));
    let judged = List.map (Weft_bench_plots.Targets.judge [ run ]) Weft_bench_plots.Targets.all in
    let charts = Weft_bench_plots.Plotting.charts [ run ] in
    List.iter
      (fun (chart : Weft_bench_plots.Chart.t) ->
        let commands = Weft_bench_plots.Script.draw Svg ~file:chart.name chart in
        check_shown commands;
        check_script commands)
      charts;
    check_page ~scripts:0 (Weft_bench_plots.Page.render ~runs:[ run ] ~judged ~figures:[]);
    Ok ()
  in
  { name = "results"; seeds = [ corpus "results.json" ]; read }

let comparisons =
  let read text =
    with_file text @@ fun path ->
    let other = Filename.concat "corpus" "results.json" in
    let* a, b = Weft_bench_results.Side.read_pair ~ratios:false other path in
    let comparison = Weft_bench_results.Comparison.(compare usual a b) in
    List.iter check_shown comparison.differences;
    check_json (Yojson.Safe.to_string (Weft_bench_results.Comparison.to_json comparison));
    Ok ()
  in
  {
    name = "results and baselines, compared";
    seeds = [ corpus "results.json"; corpus "baseline.json" ];
    read;
  }

let profile =
  let read text =
    let open Weft_insight_scale in
    with_file text @@ fun path ->
    let* found = Recorded.read path in
    match found with
    | Times _ | Unfinished -> Ok ()
    | Profile profile ->
        let* curve = Curve.make ~workers:[ 1; 2; 8 ] ~steal:profile.burden profile in
        check_shown (Words.text ~program:"\027[1m" profile curve);
        check_json (Yojson.Safe.to_string (Words.json ~program:[ "\xff" ] profile curve));
        check_page ~scripts:0 (Picture.svg ~program:"<script>\027" curve);
        Ok ()
  in
  { name = "profiles"; seeds = [ corpus "profile" ]; read }

let migration =
  let read text =
    Testing.Folder.within "fuzz" @@ fun folder ->
    let put name text =
      Out_channel.with_open_bin (Filename.concat folder name) (fun out -> output_string out text)
    in
    put "dune-project" "(lang dune 3.0)\n";
    List.iter (fun name -> put name text) [ "dune"; "a.ml"; "a.opam" ];
    let* found = Weft_migrate.Migration.find folder in
    check_json (Weft_migrate.Report.json ~written:false found);
    List.iter check_shown (Weft_migrate.Report.trouble found);
    Ok ()
  in
  let seeds =
    [
      "(executable\n (name a)\n (libraries domainslib unix \"x y\"))\n";
      "open Domainslib\n\
       let pool = Task.setup_pool ~num_domains:3 ()\n\
       let x = {|a|} and y = '\\'' (* \"(*\" *)\n";
      "opam-version: \"2.0\"\ndepends: [\n  \"dune\" {>= \"3.0\"}\n  \"domainslib\" {>= \"0.5\"}\n]\n";
    ]
  in
  { name = "projects to migrate"; seeds; read }

(* {1 Of the library} *)

module Log = Weft_containers.Log_file

let log_system = { Weft_containers.Log_system.real with sync = ignore }
let first_segment = "00000000000000000000.log"

let log =
  let segment_of records =
    Testing.Folder.within "fuzz" @@ fun folder ->
    let log = Log.open_ ~system:log_system folder in
    List.iter (fun group -> ignore (Log.append_many log (Array.of_list group))) records;
    Log.sync log;
    Log.close log;
    In_channel.with_open_bin (Filename.concat folder first_segment) In_channel.input_all
  in
  let read text =
    Testing.Folder.within "fuzz" @@ fun folder ->
    let segment = Filename.concat folder first_segment in
    Out_channel.with_open_bin segment (fun out -> output_string out text);
    (* The file may claim more than is in it. *)
    if String.length text mod 5 = 0 then Unix.truncate segment 100_000_000;
    match
      let log = Log.open_ ~system:log_system folder in
      Fun.protect
        (fun () -> ignore (Log.fold (fun _ record n -> n + String.length record) log 0 : int))
        ~finally:(fun () -> Log.close log)
    with
    | () -> Ok ()
    | exception (Log.Damaged _ as exn) -> Error (Printexc.to_string exn)
  in
  let seeds =
    [
      segment_of [ [ "first" ]; [ ""; "x" ]; [ String.make 300 'p' ] ];
      segment_of (List.init 50 (fun i -> [ string_of_int i ]));
    ]
  in
  { name = "logs"; seeds; read }

module Sums = struct
  type 'v t = int ref
  type ('v, _) op = Add : int -> ('v, int) op
  type 'v packed = Op : ('v, 'a) op * 'a Weft_batch.Cell.t -> 'v packed

  let apply : type a. 'v t -> ('v, a) op -> a =
   fun t (Add n) ->
    t := !t + n;
    !t

  let run = None
end

module Recorded_sums = Weft_batch.Recorder.Make (Sums)

let recording =
  let of_string text = Scanf.sscanf text "Add %d%!" (fun n -> Recorded_sums.Any (Add n)) in
  let meaning : unit Recorded_sums.meaning =
    {
      equal = (fun _ a b -> a == b || compare a b = 0);
      show_result = (fun (type a) (Sums.Add _ : (unit, a) Sums.op) (n : a) -> string_of_int n);
      show_op = (fun (type a) (Sums.Add n : (unit, a) Sums.op) -> "Add " ^ string_of_int n);
    }
  in
  let read text =
    with_file text @@ fun path ->
    let* recording = Recorded_sums.load of_string path in
    ignore (Recorded_sums.replay meaning (ref 0) recording : Weft_batch.Recorder.difference option);
    Ok ()
  in
  { name = "recordings"; seeds = [ corpus "recording" ]; read }

(* {1 Of explored programs} *)

module Schedule = Weft_scheduler.Schedule_file
module Record = Weft_schedules.Record

let schedule =
  let read text =
    with_file text @@ fun path ->
    let* choices = Schedule.read path in
    let printed = Schedule.print ~comment:[] choices in
    check_shown printed;
    if Schedule.parse printed <> Ok choices then failwith "another schedule when printed and read";
    let plan = Weft_scheduler.(Explore_plan.make ~schedule:choices Explore_settings.usual) in
    ignore (Weft_scheduler.Explore_plan.choose plan ~fiber:"0" ~point:1 ~yields:false [ "0"; "0.1" ] : string);
    Ok ()
  in
  let seeds =
    [ "weft-schedule 1\n"; "weft-schedule 1\n# a comment\n\n0 3 -> 0.1\n0.1 2 -> time\n0.1.2 17 -> #4\n" ]
  in
  { name = "schedules"; seeds; read }

let exploration =
  let read text =
    with_file text @@ fun path ->
    match Record.read path with
    | None -> Error "it is damaged"
    | Some record ->
        check_shown (Weft_schedules.Schedule_table.text record);
        let choices = Record.schedule record in
        List.iter
          (fun longer -> if List.length longer <> List.length choices + 1 then failwith "not one choice more")
          (Record.extended record);
        ignore (Record.pairs record : (string * string) list);
        Ok ()
  in
  let seeds =
    [
      "weft-exploration 1\n\
       choices 3\n\
       misfits 0\n\
       cut false\n\
       ended exit\n\
       0\t1\t0\tpar\ta.ml:3\t0\t0.1\n\
       0\t2\t0.1\tWeft.Mutex.lock\ta.ml:4\t0\t0.1\ttime\n\
       0.1\t1\ttime\tends\t-\t0\ttime\n\
       0.1\t0\t-\tends\t-\n";
      "weft-exploration 1\nchoices 0\nmisfits 1\ncut true\nended livelock\n";
    ]
  in
  { name = "records of explored programs"; seeds; read }

let settings =
  let read text =
    let* settings = Weft_scheduler.Explore_settings.of_string text in
    ignore (Weft_scheduler.Explore_plan.make settings : Weft_scheduler.Explore_plan.t);
    Ok ()
  in
  let seeds =
    [
      "7";
      "first";
      "seed=7,depth=3,length=200,record=FILE";
      "depth=999999999999,length=999999999999";
      "replay=FILE,no-timers,patience=1000";
    ]
  in
  { name = "settings of explored programs"; seeds; read }

let all = [ trace; results; comparisons; profile; migration; log; recording; schedule; exploration; settings ]
