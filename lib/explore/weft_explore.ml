exception Failed of string

let () =
  Printexc.register_printer (function Failed report -> Some ("Weft_explore.Failed: " ^ report) | _ -> None)

exception Livelock

let wrong who fmt =
  Printf.ksprintf (fun why -> invalid_arg (Printf.sprintf "Weft_explore.%s: %s" who why)) fmt

let at_least least who what n = if n < least then wrong who "%s is %d, less than %d" what n least

(* --- one run --- *)

let close_default () = Option.iter Weft.Pool.close (Weft.Pool.find Pool_state.default_name)

let check_place who =
  if Option.is_some (Worker.current ()) then wrong who "called from a task; call it outside of pools";
  close_default ();
  match Pool_state.all () with [] -> () | p :: _ -> wrong who "the pool %S is open; close it first" p.name

let text_of exn backtrace = Printexc.to_string exn ^ "\n" ^ Printexc.raw_backtrace_to_string backtrace

(* Weft's own by the names that users know. *)
let name_of exn =
  let name = Printexc.exn_slot_name exn in
  if String.starts_with ~prefix:"Weft_" name then
    List.hd (String.split_on_char ':' (List.hd (String.split_on_char '(' (Printexc.to_string exn))))
  else name

let failure_of patience exn backtrace : Search.failure =
  match exn with
  | Livelock -> { kind = "livelock"; text = Explored.livelock_of patience }
  | Deadlock.Deadlock _ -> { kind = "deadlock"; text = Printexc.to_string exn }
  | exn -> { kind = "exception " ^ name_of exn; text = text_of exn backtrace }

(* The first time, the function is cancelled; it may not heed that. *)
let livelock ~patience context =
  let times = ref 0 in
  fun () ->
    incr times;
    if !times = 1 then Option.iter (fun c -> Fiber.stop c Livelock) !context
    else if !times > patience then begin
      Weft_platform.Say.line "Weft_explore: %s, and the function goes on although it was cancelled"
        (Explored.livelock_of patience);
      exit Explored.exit_livelock
    end

(* How a run failed: its own exception, or else the first one of a task that nobody awaited. *)
let outcome ~patience context f =
  (* Other threads of the program, such as a test's watchdog, wake nobody. *)
  Deadlock.with_detection Always @@ fun () ->
  let unseen = ref None in
  let note exn backtrace = if !unseen = None then unseen := Some (exn, backtrace) in
  let before = Weft.uncaught_handler () in
  Weft.set_uncaught_handler note;
  let seen =
    Fun.protect ~finally:(fun () -> Weft.set_uncaught_handler before) @@ fun () ->
    let result =
      match
        let p = Pools.create ~name:"explored" ~domains:1 ~caller:true "Weft_explore" in
        let f () =
          context := Some (Context.current ());
          f ()
        in
        Shutdown.use_and_close p "Weft_explore" (fun () -> Pools.run p f "Weft_explore")
      with
      | () -> None
      | exception exn -> Some (exn, Printexc.get_raw_backtrace ())
    in
    close_default ();
    Uncaught.report_all ();
    result
  in
  let first = match seen with Some _ -> seen | None -> !unseen in
  Option.map (fun (exn, backtrace) -> failure_of patience exn backtrace) first

let settings ~patience how : Explore_settings.t =
  let seed, strategy =
    match how with
    | Search.First | Schedule _ -> (0, Explore_settings.First)
    | Walk seed -> (seed, Random_walk)
    | Priorities { seed; depth; length } -> (seed, Priorities { depth; length })
  in
  { seed; strategy; replay = None; record = None; patience }

let run ~patience ~random ~record f how : (Search.run, _) result =
  let context = ref None in
  let schedule =
    match how with Search.Schedule choices -> Some choices | First | Walk _ | Priorities _ -> None
  in
  Random.set_state random;
  let failure =
    Explored.explored ?schedule ~record ~livelock:(livelock ~patience context) (settings ~patience how)
      (fun () -> outcome ~patience context f)
  in
  let record = Option.bind (Explored.recorded ~ended:"exit") Record.parse in
  Ok { failure; choices = Explored.choices (); record }

let run ~patience f =
  let random = Random.get_state () in
  fun ~record how -> run ~patience ~random:(Random.State.copy random) ~record f how

(* --- reports --- *)

let failed (failure : Search.failure) (record : Record.t option) again =
  let table = match record with Some r -> "\n" ^ Schedule_table.text r | None -> "" in
  let lines = List.filter (( <> ) "") (String.split_on_char '\n' failure.text) in
  raise
    (Failed
       (String.concat ""
          (((failure.kind ^ "\n") :: List.map (fun l -> "  " ^ l ^ "\n") lines) @ [ table; again ])))

(* Again, with a record. *)
let report run ~number ~how failure =
  let told = Printf.sprintf "schedule %d fails: " number in
  let tell (f : Search.failure) = { f with kind = told ^ f.kind } in
  let not_again = "\nIt cannot be run again: the function does not do the same each time.\n" in
  match run ~record:true how with
  | Ok { Search.record = Some record; failure = Some found; _ } when found.kind = failure.Search.kind -> (
      let all = Record.schedule record in
      match Search.shortest (run ~record:true) failure all with
      | None -> failed (tell failure) (Some record) not_again
      | Some (choices, record) ->
          failed (tell failure) (Some record)
            (Printf.sprintf "\n%d of %d choices are left. Again: Weft_explore.replay {|%s|}\n"
               (List.length choices) (List.length all)
               (Schedule_file.print ~comment:[] choices)))
  | _ -> failed (tell failure) None not_again

let told run = function
  | Ok (Search.Fails { number; how; failure; _ }) -> report run ~number ~how failure
  | Ok (Holds { all; _ }) -> all
  | Error () -> assert false

(* --- searches --- *)

let usual_patience = 20_000

let search who ~patience f go =
  at_least 1 who "patience" patience;
  if Explored.is_whole_program then begin
    f ();
    false
  end
  else begin
    check_place who;
    let run = run ~patience f in
    told run (go run)
  end

let check ?(schedules = 10_000) ?(seed = 0) ?(depth = 3) ?(patience = usual_patience) f =
  at_least 1 "check" "schedules" schedules;
  at_least 1 "check" "depth" depth;
  let go run = Search.sampled (run ~record:false) ~seed ~depth ~schedules in
  ignore (search "check" ~patience f go : bool)

let check_all ?(schedules = 100_000) ?(patience = usual_patience) ~switches f =
  at_least 1 "check_all" "schedules" schedules;
  at_least 0 "check_all" "switches" switches;
  search "check_all" ~patience f (fun run -> Search.exhaustive (run ~record:true) ~most:switches ~schedules)

let replay ?(patience = usual_patience) schedule f =
  match Schedule_file.parse schedule with
  | Error why -> wrong "replay" "%s" why
  | Ok choices -> (
      at_least 1 "replay" "patience" patience;
      check_place "replay";
      match run ~patience f ~record:true (Schedule choices) with
      | Ok { failure = Some failure; record; _ } -> failed failure record ""
      | Ok { record = Some { misfits; _ }; _ } when misfits > 0 ->
          wrong "replay" "%d of its %d choices do not fit this function, which did not fail" misfits
            (List.length choices)
      | Ok _ -> ()
      | Error () -> assert false)
