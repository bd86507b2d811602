exception Boom

let stop = Context.Cancelled "stopped"

(* --- a fiber to be stopped --- *)

(* It begins on worker 0. *)
type subject = {
  notes : Notes.t;
  context : Fiber.context;
  mutable forks : int;
  mutable paused : (unit -> unit) option;
}

let note s what = Notes.add s.notes what
let stopper s = Crew.stopper s.context stop
let resolver p = Process.spawn "R" (fun () -> Promise.resolve p ())

let fork s =
  ignore (Fork_join.par ignore ignore);
  s.forks <- s.forks + 1

(* The fiber runs on after all processes have ended, on the worker where it is. *)
let pause s =
  let deque : Job.task Deque.t = Deque_memory.current () in
  let here = Spawn_context.here deque in
  let wait k =
    s.paused <-
      Some
        (fun () ->
          Deque_memory.set_current deque;
          Effect.Deep.continue k ())
  in
  Effect.perform (Fiber_stack.Suspend (Some wait));
  Spawn_context.set_here deque here

(* A fiber that has just begun goes on at the first request. *)
let give_way () =
  for _ = 1 to 2 do
    let w = Option.get (Worker.current ()) in
    Deque.request_preempt w.deque;
    Poll.checkpoint ()
  done

(* By then the stopper has stopped the fiber: it must see that at its next fork. *)
let fork_at_last s =
  pause s;
  fork s

(* Notes how [f] ends. *)
let noting s f () =
  note s
    (match f () with
    | () -> "done"
    | exception exn when exn == stop -> "stopped"
    | exception Boom -> "failed")

let on_its_worker crew s f =
  Crew.worker crew 0 "A" @@ fun w ->
  Crew.run w (noting s (fun () -> Context.within_stoppable s.context f));
  Crew.run_own w

(* The fiber waits already when the processes begin. *)
let waiting (crew : Crew.t) s f =
  let w = crew.workers.(0) in
  Worker.attach w;
  Crew.run w (noting s (fun () -> Context.within_stoppable s.context f));
  Worker.detach w

let stopped_in s = Notes.once s.notes "stopped"

let forks s =
  ignore (stopped_in s);
  Printf.sprintf "stopped after %d forks" s.forks

let scenario ?(long = false) name ~outcomes ~workers set_up : Scenario.t =
  let set_up () =
    Section.ignore_all ();
    let crew = Crew.make workers in
    let s = { notes = Notes.make (); context = Crew.context crew 0; forks = 0; paused = None } in
    let judge = set_up crew s in
    fun () ->
      Crew.run_rest crew;
      Option.iter (fun go_on -> go_on ()) s.paused;
      Crew.run_rest crew;
      let outcome = judge () in
      if not (Suspended_fibers.is_empty crew.parts.home.suspended) then
        Explore.violate "a fiber is left waiting";
      outcome
  in
  { name; long; outcomes; set_up }

let of_forks =
  [
    ( scenario "a fiber that forks is stopped"
        ~outcomes:[ "stopped after 0 forks"; "stopped after 1 forks"; "stopped after 2 forks" ]
        ~workers:1
    @@ fun crew s ->
      on_its_worker crew s (fun () ->
          fork s;
          fork s;
          fork_at_last s);
      stopper s;
      fun () -> forks s );
    ( scenario "a fiber that forks on is stopped"
        ~outcomes:[ "stopped after 0 forks"; "stopped after 1 forks" ]
        ~workers:1
    @@ fun crew s ->
      on_its_worker crew s (fun () ->
          (try fork s with exn when exn == stop -> ());
          fork_at_last s);
      stopper s;
      fun () -> forks s );
    ( scenario "a fiber that forks behind a shield is stopped" ~outcomes:[ "stopped after 2 forks" ] ~workers:1
    @@ fun crew s ->
      on_its_worker crew s (fun () ->
          Context.shield (fun () ->
              fork s;
              fork s);
          fork_at_last s);
      stopper s;
      fun () -> forks s );
  ]

let of_waits =
  [
    ( scenario "a fiber that waits is stopped" ~outcomes:[ "stopped in A"; "stopped in judge" ] ~workers:1
    @@ fun crew s ->
      let p = Promise.create () in
      on_its_worker crew s (fun () -> Fork_join.await p);
      stopper s;
      fun () -> "stopped in " ^ stopped_in s );
    ( scenario "a fiber that was notified waits and is stopped"
        ~outcomes:[ "stopped in A"; "stopped in judge" ]
        ~workers:1
    @@ fun crew s ->
      let p = Promise.create () in
      on_its_worker crew s (fun () ->
          Fiber.notify_cancel s.context.fiber;
          Suspend.suspend ~what:"a promise" p);
      stopper s;
      fun () -> "stopped in " ^ stopped_in s );
    ( scenario "a fiber that waits twice, a resolver, is stopped" ~long:true
        ~outcomes:[ "stopped the first time"; "stopped the second time" ]
        ~workers:1
    @@ fun crew s ->
      let p = Promise.create () and q = Promise.create () in
      let waits = ref "first" in
      on_its_worker crew s (fun () ->
          Fork_join.await p;
          waits := "second";
          Fork_join.await q);
      resolver p;
      stopper s;
      fun () ->
        ignore (stopped_in s);
        Printf.sprintf "stopped the %s time" !waits );
    ( scenario "a fiber that moves is stopped"
        ~outcomes:[ "it moved, stopped"; "it waited, stopped in P"; "it waited, stopped in judge" ]
        ~workers:2
    @@ fun crew s ->
      let p = Promise.create () in
      waiting crew s (fun () ->
          Fork_join.await p;
          note s "moved";
          fork_at_last s);
      Crew.worker crew 1 "P" (fun w ->
          Promise.resolve p ();
          Crew.run_own w);
      stopper s;
      fun () ->
        let where = stopped_in s in
        if Notes.at_most_once s.notes "moved" <> None then "it moved, stopped"
        else "it waited, stopped in " ^ where );
    ( scenario "a fiber that gives way and moves is stopped"
        ~outcomes:[ "stopped in P"; "stopped in judge" ]
        ~workers:2
    @@ fun crew s ->
      waiting crew s (fun () ->
          Poll.yield ();
          fork_at_last s);
      Crew.worker crew 1 "P" Crew.run_own;
      stopper s;
      fun () -> "stopped in " ^ stopped_in s );
    ( scenario "a fiber that is preempted and moves is stopped"
        ~outcomes:[ "stopped in P"; "stopped in judge" ]
        ~workers:2
    @@ fun crew s ->
      Injector.push crew.parts.injector (Job.resumption ignore);
      waiting crew s (fun () ->
          give_way ();
          Poll.check ();
          fork_at_last s);
      Crew.worker crew 1 "P" (fun w ->
          Crew.steal_and_run w;
          Crew.run_own w);
      stopper s;
      fun () -> "stopped in " ^ stopped_in s );
    ( scenario "a fiber that waits behind a shield, a resolver, is stopped"
        ~outcomes:[ "stopped after 0 forks" ] ~workers:1
    @@ fun crew s ->
      let p = Promise.create () in
      on_its_worker crew s (fun () ->
          Context.shield (fun () -> Fork_join.await p);
          fork_at_last s);
      resolver p;
      stopper s;
      fun () -> forks s );
  ]

(* --- cells --- *)

(* The fiber waits with a time limit; the waker must know whether it has ended the wait. *)
let cell_scenario name ~outcomes spawn =
  scenario name ~outcomes ~workers:1 @@ fun crew s ->
  let cell = Waiter.create () in
  let wait () =
    match Waiter.await ~timeout:1. ~what:"a test" ~leave:(fun () -> note s "left") cell with
    | () -> note s "woken"
    | exception Context.Timeout -> note s "too late"
    | exception exn when exn == stop -> note s "stopped"
  in
  ignore (Crew.begun crew 0 (fun () -> Context.within_stoppable s.context wait));
  spawn crew s cell;
  fun () ->
    let ending = Notes.the_one s.notes [ "woken"; "too late"; "stopped" ] in
    let told = Notes.at_most_once s.notes "told" <> None
    and left = Notes.at_most_once s.notes "left" <> None in
    if told <> (ending = "woken") then Explore.violate "%s, but the waker was told otherwise" ending;
    if left = (ending = "woken") then Explore.violate "%s, and whether it left is wrong" ending;
    if Timers.count crew.parts.timers > 0 then Explore.violate "%s, and a timer is left" ending;
    ending

let waker s cell = Process.spawn "waker" (fun () -> if Waiter.wake cell () then note s "told")

let clock (crew : Crew.t) =
  Process.spawn "clock" (fun () ->
      ignore (Process.pass 1.);
      Timers.run_due crew.parts.timers)

let of_cells =
  [
    ( cell_scenario "a cell, woken, timed out and stopped" ~outcomes:[ "stopped"; "too late"; "woken" ]
    @@ fun crew s cell ->
      waker s cell;
      clock crew;
      stopper s );
    ( cell_scenario "a cell, woken and timed out, its worker" ~outcomes:[ "too late"; "woken" ]
    @@ fun crew s cell ->
      waker s cell;
      clock crew;
      Crew.worker crew 0 "W" Crew.run_own );
  ]

(* --- forks whose sides fail or are stopped --- *)

let thief crew i name =
  Crew.worker crew i name @@ fun w ->
  Crew.steal_and_run w;
  Crew.run_own w

(* A side of a fork. Notes whether it was stopped: by the failure of the other, or by [stop]. *)
let side s name f () =
  match f () with
  | () -> note s (name ^ " done")
  | exception exn ->
      if exn == Fiber.sibling_failed || exn == stop then note s (name ^ " stopped");
      raise exn

let never () = Fork_join.await (Promise.create ())
let boom () = raise Boom

let fate s name =
  let happened how = Notes.at_most_once s.notes (name ^ how) <> None in
  match List.find_opt happened [ " done"; " stopped" ] with Some how -> name ^ how | None -> name ^ " never"

(* [left] runs beside a right side that fails; afterwards the fiber must be as it was before. *)
let beside_failure s left () =
  (match Fork_join.par (side s "left" left) boom with
  | _ -> note s "no failure"
  | exception Boom -> note s "the fork failed");
  if Fiber.cancellation s.context <> Fine then Explore.violate "the count of failures is wrong";
  fork s

let of_joins =
  [
    ( scenario "a fork fails, its left side waits"
        ~outcomes:[ "left stopped in A"; "left stopped in P" ]
        ~workers:2
    @@ fun crew s ->
      on_its_worker crew s (beside_failure s never);
      thief crew 1 "P";
      fun () ->
        ignore (Notes.once s.notes "done");
        fate s "left" ^ " in " ^ Notes.once s.notes "the fork failed" );
    ( scenario "a fork fails, its left side forks" ~outcomes:[ "left stopped" ] ~workers:2 @@ fun crew s ->
      on_its_worker crew s
        (beside_failure s (fun () ->
             fork s;
             fork_at_last s));
      thief crew 1 "P";
      fun () ->
        ignore (Notes.once s.notes "done");
        ignore (Notes.once s.notes "the fork failed");
        fate s "left" );
    ( scenario "a join of a stolen fork is stopped" ~long:true ~outcomes:[ "right never"; "right stopped" ]
        ~workers:2
    @@ fun crew s ->
      on_its_worker crew s (fun () -> ignore (Fork_join.par ignore (side s "right" never)));
      thief crew 1 "P";
      stopper s;
      fun () ->
        ignore (stopped_in s);
        fate s "right" );
  ]

let all = of_forks @ of_waits @ of_cells @ of_joins
