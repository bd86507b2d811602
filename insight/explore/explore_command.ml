open Weft_scheduler
open Weft_schedules
open Weft_files
open Cmdliner

let exit_failed = 1
let exit_wrong = 2
let error = Foreign_text.complain "explore"
let ( let* ) = Result.bind

type asked = {
  seed : int;
  schedules : int;
  depth : int;
  exhaustive : int option;
  seconds : float;
  patience : int;
  timers : bool;
  save : string;
  replay : string option;
}

let usual_patience = Explore_settings.usual.patience
let usual_seconds = 10.

(* {1 Runs} *)

type session = {
  asked : asked;
  command : string list;
  folder : string;
  place : Whole_file.t option;  (** for the schedule of a failure *)
  coverage : Coverage.t;
}

let run ?(quiet = true) s how =
  let* r =
    Explored_run.run ~folder:s.folder ~seconds:s.asked.seconds ~patience:s.asked.patience
      ~timers:s.asked.timers ~quiet how s.command
  in
  Coverage.add s.coverage r;
  Ok r

(* {1 Telling} *)

(* As a shell takes them. *)
let word text =
  let is_safe = function
    | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '.' | '/' | '-' | '_' | '=' | '+' | ':' | ',' | '@' -> true
    | _ -> false
  in
  if text <> "" && String.for_all is_safe text then text else Foreign_text.line (Filename.quote text)

let words command = String.concat " " (List.map word command)
let most_lines = 30

(* What the program wrote, cut where it is long. *)
let messages text =
  let lines = List.filter (( <> ) "") (String.split_on_char '\n' text) in
  let shown = List.filteri (fun i _ -> i < most_lines) lines in
  String.concat "" (List.map (fun l -> "  " ^ Foreign_text.line l ^ "\n") shown)

let tell_failure (f : Search.failure) record =
  Printf.printf "%s\n%s" f.kind (messages f.text);
  Option.iter (fun r -> if r.Record.points <> [] then Printf.printf "\n%s" (Schedule_table.text r)) record

(* The options that a replay needs, too. *)
let limits asked =
  (if asked.patience = usual_patience then "" else Printf.sprintf "--patience %d " asked.patience)
  ^ (if asked.timers then "" else "--no-timers ")
  ^ if asked.seconds = usual_seconds then "" else Printf.sprintf "--timeout %g " asked.seconds

let coverage s =
  Printf.sprintf
    "%.0f schedules per second; %d different pairs of operations ran one right after the other in two fibers"
    (Coverage.per_second s.coverage) (Coverage.pairs s.coverage)

let report s ~number ~how failure record =
  (* Without those that shrink it. *)
  let coverage = coverage s in
  let seed =
    match how with
    | Search.First | Schedule _ -> ""
    | Walk _ | Priorities _ ->
        let timers = if s.asked.timers then "" else ",no-timers" in
        Printf.sprintf " (WEFT_EXPLORE=%s%s)" (Explored_run.fields how) timers
  in
  Printf.printf "schedule %d fails%s: %!" number seed;
  let end_with text =
    Printf.printf "\n%s\n%s\n" text coverage;
    Ok exit_failed
  in
  let without_record why =
    tell_failure failure None;
    end_with (why ^ ", so it can neither be shrunk nor kept.")
  in
  match record with
  | None -> without_record "No record of it was written"
  | Some { Record.cut = true; _ } -> without_record "Its record passed 16 MiB and was cut"
  | Some whole -> (
      let all = Record.schedule whole in
      match Search.shrunk (run s) failure all with
      | None ->
          tell_failure failure (Some whole);
          end_with
            "It cannot be replayed: the program does not do the same each time (a clock, random numbers, \
             threads of its own?)."
      | Some (choices, record) ->
          tell_failure failure (Some record);
          let comment = [ failure.kind; words s.command ] in
          let* () =
            match s.place with
            | None -> Ok ()
            | Some place -> Whole_file.write place (Schedule_file.print ~comment choices)
          in
          end_with
            (Printf.sprintf "%d of %d choices are left. Again: weft explore %s--replay %s -- %s"
               (List.length choices) (List.length all) (limits s.asked) (words [ s.asked.save ])
               (words s.command)))

let told s ~holds found =
  let* found = found in
  match found with
  | Search.Fails { number; how; failure; record } -> report s ~number ~how failure record
  | Holds { runs; all } ->
      Printf.printf "%s: no failure. %s\n" (holds runs all) (coverage s);
      Ok Cmd.Exit.ok

let sampled s =
  Search.sampled (run s) ~seed:s.asked.seed ~depth:s.asked.depth ~schedules:s.asked.schedules
  |> told s ~holds:(fun runs _ -> Printf.sprintf "%d schedules" runs)

let exhaustive s most =
  let holds runs all =
    Printf.sprintf
      (if all then "all %d schedules that differ from the first in at most %d choices"
       else "%d schedules, not all of those that differ from the first in at most %d choices")
      runs most
  in
  told s ~holds (Search.exhaustive (run s) ~choices:most ~schedules:s.asked.schedules)

(* {1 Again} *)

(* The system's own reasons begin with the name. *)
let named file why = if String.starts_with ~prefix:file why then why else Input.shown file ^ ": " ^ why

let replay s file =
  let* choices = Result.map_error (named file) (Schedule_file.read file) in
  let* r = run ~quiet:false s (Schedule choices) in
  let misfits = match r.record with Some r -> r.misfits | None -> 0 in
  match r.failure with
  | Some failure ->
      tell_failure failure r.record;
      Ok exit_failed
  | None when misfits > 0 ->
      Error
        (Printf.sprintf "%s: %d of its %d choices do not fit this program, which did not fail"
           (Input.shown file) misfits (List.length choices))
  | None ->
      Option.iter (fun r -> print_string (Schedule_table.text r)) r.record;
      Printf.printf "no failure\n";
      Ok Cmd.Exit.ok

let with_folder f =
  match Filename.temp_dir "weft-explore-" "" with
  | exception Sys_error why -> Error ("cannot make a folder for temporary files: " ^ why)
  | folder when String.contains folder ',' ->
      Error ("the folder for temporary files has a comma in its name: " ^ folder)
  | folder -> Fun.protect (fun () -> f folder) ~finally:(fun () -> Own_folder.remove folder)

let go asked command =
  Explored_run.end_at_signals ();
  match
    let* place =
      match asked.replay with
      | Some _ -> Ok None
      | None -> Result.map Option.some (Whole_file.prepare ~option:"--save" asked.save)
    in
    with_folder @@ fun folder ->
    let s = { asked; command; folder; place; coverage = Coverage.start () } in
    match (asked.replay, asked.exhaustive) with
    | Some file, _ -> replay s file
    | None, Some most -> exhaustive s most
    | None, None -> sampled s
  with
  | Ok code ->
      flush stdout;
      code
  | Error why ->
      error why;
      exit_wrong
  | exception Explored_run.Signalled signal -> 128 + Weft_insight_trace.Program.number_of_signal signal
  | exception Sys_error why ->
      close_out_noerr stdout;
      error ("cannot write: " ^ why);
      Cmd.Exit.some_error

(* {1 The command} *)

let number ~what ~least =
  let parse text =
    match int_of_string_opt text with
    | Some n when n >= least && n < 1_000_000_000 -> Ok n
    | _ -> Error (Printf.sprintf "'%s' is not a %s from %d on" text what least)
  in
  Arg.conv' ~docv:"N" (parse, Format.pp_print_int)

let option ?(least = 1) ~what ~default names ~docv ~doc =
  Arg.(value & opt (number ~what ~least) default & info names ~docv ~doc)

let asked =
  let make seed schedules depth exhaustive seconds patience no_timers save replay =
    let seconds = float_of_int seconds and timers = not no_timers in
    { seed; schedules; depth; exhaustive; seconds; patience; timers; save; replay }
  in
  let seed =
    option ~least:0 ~what:"seed" ~default:1 [ "seed" ] ~docv:"S"
      ~doc:"Schedule $(i,n) has the seed $(docv) + $(i,n) - 1; the first needs none."
  in
  let schedules =
    option ~what:"number of schedules" ~default:1000 [ "schedules" ] ~docv:"N"
      ~doc:
        "How many are tried. The first takes the first option everywhere; then random walks and PCT take \
         turns."
  in
  let depth =
    option ~what:"depth" ~default:3 [ "depth" ] ~docv:"D"
      ~doc:"The depth of PCT: it finds a fault for which $(docv) events must come in a certain order."
  in
  let exhaustive =
    Arg.(
      value
      & opt (some (number ~what:"number of choices" ~least:0)) None
      & info [ "exhaustive" ] ~docv:"K"
          ~doc:
            "Try the schedules that differ from the first in at most $(docv) choices, those with few before \
             those with more, up to $(b,--schedules) of them.")
  in
  let seconds =
    option ~what:"number of seconds" ~default:(Float.to_int usual_seconds) [ "timeout" ] ~docv:"SECONDS"
      ~doc:"A run that takes longer is killed, and is a failure."
  in
  let patience =
    option ~what:"number of points" ~default:usual_patience [ "patience" ] ~docv:"N"
      ~doc:"After $(docv) points in a row at which no fiber began or was woken, a run is a livelock."
  in
  let no_timers =
    Arg.(
      value & flag
      & info [ "no-timers" ]
          ~doc:"Time passes only when every fiber waits: no time-out comes and no sleep ends before.")
  in
  let save =
    Arg.(
      value & opt string "weft-explore.schedule"
      & info [ "save" ] ~docv:"FILE" ~doc:"Where the schedule of a failure is kept.")
  in
  let replay =
    Arg.(
      value
      & opt (some string) None
      & info [ "replay" ] ~docv:"FILE" ~doc:"Run the program once, by this schedule, and show what it did.")
  in
  Term.(const make $ seed $ schedules $ depth $ exhaustive $ seconds $ patience $ no_timers $ save $ replay)

let command =
  Arg.(
    non_empty & pos_all string []
    & info [] ~docv:"PROGRAM" ~doc:"The program and its arguments, after $(b,--).")

let cmd =
  let doc = "run a program under many schedules, and show the one that fails" in
  let man =
    [
      `S Manpage.s_description;
      `P
        "Runs $(i,PROGRAM), which uses Weft and need not be built for this, again and again, each time with \
         fibers in another order. Each pool has one worker, and at each fork, loop's block, wait, and \
         operation that may wait, a seed decides which fiber goes on. Time is virtual: it passes to the next \
         timer when every fiber waits, or when the seed says so. A run fails if its exit code is not 0, if a \
         signal, a deadlock or a livelock ends it, or if it takes longer than $(b,--timeout). Then the \
         schedule is shrunk: choices are left out as long as the failure stays the same. What is left is \
         shown as a table with a column for each fiber, and kept in a file.";
      `P
        "Schedules are exact if the program does the same each time: threads and domains of its own, clocks \
         other than Weft's, files, sockets and other programs are not explored. Nor are accesses to memory \
         between two operations of Weft.";
      `S Manpage.s_examples;
      `Pre
        "  weft explore -- ./my_program\n\
        \  weft explore --schedules 10000 --seed 7 -- ./my_program --size 3\n\
        \  weft explore --exhaustive 2 -- ./my_program\n\
        \  weft explore --replay weft-explore.schedule -- ./my_program";
    ]
  in
  let exits =
    [
      Cmd.Exit.info Cmd.Exit.ok ~doc:"if no schedule failed.";
      Cmd.Exit.info exit_failed ~doc:"if one failed.";
      Cmd.Exit.info exit_wrong
        ~doc:
          "if the program cannot be run or explored, if a schedule is damaged or does not fit the program, \
           if a file cannot be read or written, and on a wrong command line.";
      Cmd.Exit.info 130 ~doc:"if Ctrl-C ended it; 128 and its number for another signal.";
      Cmd.Exit.info Cmd.Exit.some_error ~doc:"if standard output cannot be written.";
      Cmd.Exit.info Cmd.Exit.internal_error ~doc:"on an unexpected error (a bug).";
    ]
  in
  Cmd.v (Cmd.info "explore" ~doc ~man ~exits) Term.(const go $ asked $ command)
