let soon = Timer_thread.time - 1
let later = Timer_thread.time + 1

(* The alarm must make a worker call what is pending in time. *)
let check_alarm alarm timers =
  match Timers.next timers with
  | Some at when not (Timer_thread.is_due alarm || Timer_thread.armed alarm <= at) ->
      Explore.violate "a timer is pending, and the alarm is neither due nor set"
  | _ -> ()

let scenario ?(long = false) name ~outcomes ~whats spawn : Scenario.t =
  let set_up () =
    let notes = Notes.make () in
    let alarm = Timer_thread.create () in
    let timers = Timers.create alarm in
    spawn alarm timers notes;
    fun () ->
      check_alarm alarm timers;
      let left = ref (Timers.count timers) in
      let fate what =
        match
          (Notes.at_most_once notes (what ^ " called"), Notes.at_most_once notes (what ^ " cancelled"))
        with
        | Some who, None -> Printf.sprintf "%s called by %s" what who
        | None, Some who -> Printf.sprintf "%s cancelled by %s" what who
        | Some _, Some _ -> Explore.violate "%s: called and cancelled" what
        | None, None ->
            decr left;
            what ^ " pending"
      in
      let fates = List.map fate whats in
      if !left <> 0 then Explore.violate "%s, but %d more in the heap" (String.concat ", " fates) !left;
      String.concat ", " fates
  in
  { name; long; outcomes; set_up }

let add timers notes what at = Timers.add timers ~at (fun () -> Notes.add notes (what ^ " called"))
let cancel timers notes what timer = if Timers.cancel timers timer then Notes.add notes (what ^ " cancelled")
let serve timers = if Timers.is_due timers then Timers.run_due timers

let all =
  [
    ( scenario "a timer, cancelled, and the clock"
        ~outcomes:[ "a called by W"; "a cancelled by A" ]
        ~whats:[ "a" ]
    @@ fun alarm timers notes ->
      Process.spawn "A" (fun () -> cancel timers notes "a" (add timers notes "a" soon));
      Process.spawn "clock" (fun () -> Timer_thread.look alarm);
      Process.spawn "W" (fun () -> serve timers) );
    ( scenario "two timers, the clock"
        ~outcomes:[ "a called by W, b pending"; "a pending, b pending" ]
        ~whats:[ "a"; "b" ]
    @@ fun alarm timers notes ->
      Process.spawn "A" (fun () -> ignore (add timers notes "a" soon));
      Process.spawn "B" (fun () -> ignore (add timers notes "b" later));
      Process.spawn "clock" (fun () -> Timer_thread.look alarm);
      Process.spawn "W" (fun () -> serve timers) );
    ( scenario "two timers, called and cancelled at once"
        ~outcomes:
          [
            "a called by B, b called by B";
            "a called by B, b called by C";
            "a called by C, b called by B";
            "a called by C, b called by C";
            "a cancelled by A, b called by B";
            "a cancelled by A, b called by C";
          ]
        ~whats:[ "a"; "b" ]
    @@ fun _ timers notes ->
      Process.spawn "A" (fun () ->
          let a = add timers notes "a" soon in
          cancel timers notes "a" a);
      Process.spawn "B" (fun () ->
          ignore (add timers notes "b" soon);
          Timers.run_due timers);
      Process.spawn "C" (fun () -> Timers.run_due timers) );
  ]
