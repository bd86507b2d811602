(* The section with the lock held takes two steps, so that another process inside would be seen. *)
let section notes inside what () =
  if Atomic.exchange inside true then Explore.violate "%s: not alone" what;
  Notes.add notes what;
  Atomic.set inside false

let scenario ?(long = false) name ~outcomes ~whats spawn : Scenario.t =
  let set_up () =
    let notes = Notes.make () in
    let lock = Lock.create () in
    spawn lock (section notes (Atomic.make false));
    fun () -> String.concat ", " (List.map (fun what -> what ^ " by " ^ Notes.once notes what) whats)
  in
  { name; long; outcomes; set_up }

let all =
  [
    ( scenario "a holder, two that hand over"
        ~outcomes:
          [
            "a by A, b by A, c by A";
            "a by A, b by A, c by B";
            "a by A, b by A, c by C";
            "a by A, b by B, c by A";
            "a by A, b by B, c by B";
            "a by A, b by B, c by C";
            "a by A, b by C, c by A";
            "a by A, b by C, c by B";
            "a by A, b by C, c by C";
          ]
        ~whats:[ "a"; "b"; "c" ]
    @@ fun lock section ->
      Process.spawn "A" (fun () -> Lock.protect lock (section "a"));
      Process.spawn "B" (fun () -> Lock.do_soon lock (section "b"));
      Process.spawn "C" (fun () -> Lock.do_soon lock (section "c")) );
    ( scenario "two holders, one that hands over"
        ~outcomes:[ "a by A, b by B, c by A"; "a by A, b by B, c by B"; "a by A, b by B, c by C" ]
        ~whats:[ "a"; "b"; "c" ]
    @@ fun lock section ->
      Process.spawn "A" (fun () -> Lock.protect lock (section "a"));
      Process.spawn "B" (fun () -> Lock.protect lock (section "b"));
      Process.spawn "C" (fun () -> Lock.do_soon lock (section "c")) );
    ( scenario "a holder that a signal handler interrupts"
        ~outcomes:
          [
            "a by A, handler by A, b by A";
            "a by A, handler by A, b by B";
            "a by A, handler by B, b by A";
            "a by A, handler by B, b by B";
          ]
        ~whats:[ "a"; "handler"; "b" ]
    @@ fun lock section ->
      Process.spawn "A" (fun () ->
          Lock.protect lock (fun () ->
              section "a" ();
              Lock.do_soon lock (section "handler")));
      Process.spawn "B" (fun () -> Lock.do_soon lock (section "b")) );
    ( scenario "who comes after a hand-over sees it done"
        ~outcomes:[ "a by A, b by A, c by B"; "a by A, b by B, c by B" ]
        ~whats:[ "a"; "b"; "c" ]
    @@ fun lock section ->
      let is_done = ref false in
      Process.spawn "A" (fun () -> Lock.protect lock (section "a"));
      Process.spawn "B" (fun () ->
          Lock.do_soon lock (fun () ->
              section "b" ();
              is_done := true);
          Lock.protect lock (fun () ->
              if not !is_done then Explore.violate "what was handed over comes later";
              section "c" ())) );
    ( scenario "a holder that raises" ~outcomes:[ "a by A, b by A"; "a by A, b by B" ] ~whats:[ "a"; "b" ]
    @@ fun lock section ->
      Process.spawn "A" (fun () ->
          match
            Lock.protect lock (fun () ->
                section "a" ();
                raise Exit)
          with
          | () -> ()
          | exception Exit -> ());
      Process.spawn "B" (fun () -> Lock.do_soon lock (section "b")) );
  ]
