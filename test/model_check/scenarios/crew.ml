type timers = None_at_all | Pending | In_heap
type t = { parts : Worker.parts; workers : Worker.t array }

(* The table of workers outlives a run. *)
let last : Worker.t array ref = ref [||]

(* A task that fails is part of a scenario. *)
let () = Uncaught.set_handler (fun _ _ -> ())

let make ?room ?except ?(gone = []) ?(away = []) ?(timers_are = None_at_all) n =
  Activity.bound ?except (room <> None);
  Array.iter Worker.release !last;
  Deque_memory.initial_capacity := 2;
  let word = Deque_memory.make_word () in
  let injector = Injector.create () in
  let alarm = Timer_thread.create () in
  let timers = Timers.create alarm in
  let are_timers () =
    match timers_are with None_at_all -> false | Pending -> true | In_heap -> not (Timers.is_empty timers)
  in
  let room = Option.value room ~default:n in
  let parts : Worker.parts =
    {
      workers = [||];
      first = 0;
      extras = [||];
      injector;
      background = Injector.create ();
      sleepers = Sleepers.create word ~watch:ignore ~needs_alarm:are_timers ~room;
      alarm;
      timers;
      home =
        {
          name = "crew";
          queue = Injector.push injector;
          wake = ignore;
          suspended = Suspended_fibers.create ();
        };
      idle = ignore;
      look = ignore;
      size_minor_heap = ignore;
    }
  in
  let workers = Array.init n (fun index -> Worker.make parts ~index ~wake:word) in
  parts.workers <- workers;
  let take_part (w : Worker.t) =
    if List.mem w.index gone then Respawn.absent parts.sleepers w.sleeper
    else if not (List.mem w.index away) then Sleep.join parts.sleepers w.sleeper ~more:(fun () -> false)
  in
  Array.iter take_part workers;
  last := workers;
  { parts; workers }

let worker c i name f =
  Process.spawn name @@ fun () ->
  Worker.attach c.workers.(i);
  f c.workers.(i)

let run w f = Worker_loop.execute w (Job.T (Job.task Spawn_context.nobody f))

let steal_and_run w =
  let task = Steal.steal w in
  if task != Job.nil then Worker_loop.execute w task

let rec run_own w =
  let task = Steal.next_job w in
  if task != Job.nil then begin
    Worker_loop.execute w task;
    run_own w
  end

let context c i =
  Fiber.inside (Fiber.base (Fiber.make c.workers.(i).deque) ~outer:Fiber.none ~bindings:Bindings.empty)

let run_in w context f = run w (fun () -> Context.within_stoppable context f)

let begun c i f =
  let w = c.workers.(i) and context = context c i in
  Worker.attach w;
  run_in w context f;
  Worker.detach w;
  context

let stopper context exn = Process.spawn "stopper" (fun () -> Fiber.stop context exn)

let run_rest c =
  Array.iter
    (fun w ->
      Worker.attach w;
      run_own w)
    c.workers
