exception Failed of string

let () =
  Printexc.register_printer (function Failed report -> Some ("Weft_explore.Failed: " ^ report) | _ -> None)

exception Livelock

let wrong who fmt =
  Printf.ksprintf (fun why -> invalid_arg (Printf.sprintf "Weft_explore.%s: %s" who why)) fmt

let at_least least who what n = if n < least then wrong who "%s is %d, less than %d" what n least
let usual_patience = Explore_settings.usual.patience

(* --- one run --- *)

let close_default () = Option.iter Weft.Pool.close (Weft.Pool.find Pool_state.default_name)

(* What failed before is not a failure of the function. *)
let prepare who =
  if Option.is_some (Worker.current ()) then wrong who "called from a task; call it outside of pools";
  close_default ();
  (match Pool_state.all () with [] -> () | p :: _ -> wrong who "the pool %S is open; close it first" p.name);
  Uncaught.report_all ()

(* Weft's own by the names that users know. *)
let name_of exn =
  let name = Printexc.exn_slot_name exn in
  if String.starts_with ~prefix:"Weft_" name then
    List.hd (String.split_on_char ':' (List.hd (String.split_on_char '(' (Printexc.to_string exn))))
  else name

let failure_of patience exn backtrace : Search.failure =
  match exn with
  | Livelock -> { kind = "livelock"; text = Explored.livelock_message patience }
  | Deadlock.Deadlock _ -> { kind = "deadlock"; text = Printexc.to_string exn }
  | Pool_state.Closed _ ->
      { kind = "a task that waits for ever"; text = "it still waits when the function has returned" }
  | exn ->
      let text = Printexc.to_string exn ^ "\n" ^ Printexc.raw_backtrace_to_string backtrace in
      { kind = "exception " ^ name_of exn; text }

(* Each fiber raises [Livelock] at its next point; it may not heed that. *)
let livelock ~patience times =
  incr times;
  if !times = 1 then Explored.end_all Livelock
  else if !times > patience then begin
    Weft_platform.Say.line
      "Weft_explore: livelock: %s, and fiber %s goes on although each point raises an exception"
      (Explored.livelock_message patience) (Explored.self ());
    exit Explored.exit_livelock
  end

(* How a run failed: its own exception, or else the first one of a task that nobody awaited. *)
let outcome f =
  (* Other threads of the program, such as a test's watchdog, wake nobody. *)
  Deadlock.with_detection Always @@ fun () ->
  let unseen = ref None in
  let note exn backtrace = if !unseen = None then unseen := Some (exn, backtrace) in
  let before = Weft.uncaught_handler () in
  Weft.set_uncaught_handler note;
  let seen =
    Fun.protect ~finally:(fun () -> Weft.set_uncaught_handler before) @@ fun () ->
    let result =
      match Weft.run f with () -> None | exception exn -> Some (exn, Printexc.get_raw_backtrace ())
    in
    close_default ();
    Uncaught.report_all ();
    result
  in
  match seen with Some _ -> seen | None -> !unseen

type limits = { patience : int; timers : bool }

let settings_of { patience; timers } how : Explore_settings.t =
  let settings seed strategy : Explore_settings.t =
    { seed; strategy; timers; replay = None; record = None; patience }
  in
  match how with
  | Search.First | Schedule _ -> settings 0 First
  | Walk seed -> settings seed Random_walk
  | Priorities { seed; depth; length } -> settings seed (Priorities { depth; length })

type never = |

let run_once ({ patience; _ } as limits) ~record f how : (Search.run, never) result =
  let livelocks = ref 0 in
  let schedule =
    match how with Search.Schedule choices -> Some choices | First | Walk _ | Priorities _ -> None
  in
  let failure =
    Explored.run_function ?schedule ~record
      ~livelock:(fun () -> livelock ~patience livelocks)
      (settings_of limits how)
      (fun () -> outcome f)
  in
  let failure =
    match failure with
    | Some (Sys.Break, backtrace) -> Printexc.raise_with_backtrace Sys.Break backtrace
    | _ when !livelocks > 0 -> Some (failure_of patience Livelock (Printexc.get_callstack 0))
    | Some (exn, backtrace) -> Some (failure_of patience exn backtrace)
    | None -> None
  in
  let record = Option.bind (Explored.recorded ~ended:"exit") Record.parse in
  Ok { failure; decisions = Explored.decisions (); record }

let busy = Atomic.make false

(* [go run], where each run begins with the same random numbers, which are put back in the end. *)
let searching who limits f go =
  if not (Atomic.compare_and_set busy false true) then wrong who "another function is being explored";
  Fun.protect ~finally:(fun () -> Atomic.set busy false) @@ fun () ->
  prepare who;
  let random = Random.get_state () in
  let run ~record how =
    Random.set_state (Random.State.copy random);
    run_once limits ~record f how
  in
  Fun.protect ~finally:(fun () -> Random.set_state random) (fun () -> go run)

(* --- reports --- *)

let raise_failed ?(prefix = "") (failure : Search.failure) record again =
  let table = match record with Some r -> "\n" ^ Schedule_table.text r | None -> "" in
  let lines = List.filter (( <> ) "") (String.split_on_char '\n' failure.text) in
  let lines = List.map (fun l -> "  " ^ l ^ "\n") lines in
  raise (Failed (String.concat "" ((prefix ^ failure.kind ^ "\n") :: lines) ^ table ^ again))

(* It is run again, with a record. *)
let report (run : record:bool -> Search.how -> (Search.run, never) result) { patience; timers } ~number ~how
    (failure : Search.failure) =
  let raise_failed = raise_failed ~prefix:(Printf.sprintf "schedule %d fails: " number) failure in
  let not_again =
    "\n\
     It does not fail again under the same schedule: the function does not do the same each time (what \
     earlier runs have left, a clock, threads of its own?).\n"
  in
  match run ~record:true how with
  | Ok { Search.record = Some { Record.cut = true; _ }; _ } ->
      raise_failed None "\nIts record passed 16 MiB and was cut, so it can neither be shrunk nor replayed.\n"
  | Ok { record = Some record; failure = Some found; _ } when found.kind = failure.kind -> (
      let all = Record.schedule record in
      match Search.shrunk (run ~record:true) failure all with
      | None -> raise_failed (Some record) not_again
      | Some (choices, record) ->
          let patience = if patience = usual_patience then "" else Printf.sprintf "~patience:%d " patience in
          let timers = if timers then "" else "~timers:false " in
          raise_failed (Some record)
            (Printf.sprintf "\n%d of %d choices are left. Again: Weft_explore.replay %s%s{|%s|} f\n"
               (List.length choices) (List.length all) patience timers
               (Schedule_file.print ~comment:[] choices)))
  | Ok _ -> raise_failed None not_again
  | Error _ -> .

(* --- searches --- *)

type summary = { schedules : int; per_second : float; pairs : int }

let summarized run tell go =
  let coverage = Coverage.start () in
  let counted ~record:_ how =
    let run = run ~record:true how in
    Result.iter (Coverage.add coverage) run;
    run
  in
  let found = go counted in
  tell Coverage.{ schedules = runs coverage; per_second = per_second coverage; pairs = pairs coverage };
  found

(* In a program that is explored as a whole, the function is called once. *)
let search who limits ?summary f go =
  at_least 1 who "patience" limits.patience;
  if Explored.is_whole_program then begin
    Weft.run f;
    false
  end
  else begin
    searching who limits f @@ fun run ->
    let found : (Search.found, never) result =
      match summary with None -> go run | Some tell -> summarized run tell go
    in
    match found with
    | Ok (Search.Fails { number; how; failure; _ }) -> report run limits ~number ~how failure
    | Ok (Holds { all; _ }) -> all
    | Error _ -> .
  end

let check ?(schedules = 10_000) ?(seed = 0) ?(depth = 3) ?(patience = usual_patience) ?(timers = true)
    ?summary f =
  at_least 1 "check" "schedules" schedules;
  at_least 1 "check" "depth" depth;
  let go run = Search.sampled (run ~record:false) ~seed ~depth ~schedules in
  ignore (search "check" { patience; timers } ?summary f go : bool)

let check_all ?(schedules = 100_000) ?(patience = usual_patience) ?(timers = true) ?summary ~choices f =
  at_least 1 "check_all" "schedules" schedules;
  at_least 0 "check_all" "choices" choices;
  search "check_all" { patience; timers } ?summary f (fun run ->
      Search.exhaustive (run ~record:true) ~choices ~schedules)

let replay ?(patience = usual_patience) ?(timers = true) schedule f =
  match Schedule_file.parse schedule with
  | Error why -> wrong "replay" "%s" why
  | Ok _ when Explored.is_whole_program -> Weft.run f
  | Ok choices -> (
      at_least 1 "replay" "patience" patience;
      let run_it run : (Search.run, never) result = run ~record:true (Search.Schedule choices) in
      match searching "replay" { patience; timers } f run_it with
      | Ok { failure = Some failure; record; _ } -> raise_failed failure record ""
      | Ok { record = Some { misfits; _ }; _ } when misfits > 0 ->
          wrong "replay" "%d of its %d choices do not fit this function, which did not fail" misfits
            (List.length choices)
      | Ok _ -> ()
      | Error _ -> .)

module Atomic = Checked_atomic
