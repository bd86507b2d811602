type t = { parts : Worker.parts; workers : Worker.t array }

(* The table of workers outlives a run. *)
let last : Worker.t array ref = ref [||]

(* A task that fails is part of a scenario. *)
let () = Uncaught.set_handler (fun _ _ -> ())

let make n =
  Array.iter Worker.release !last;
  Deque_cells.initial_capacity := 2;
  let word = Deque_cells.make_word () in
  let injector = Injector.create () in
  let alarm = Alarm.create () in
  let parts : Worker.parts =
    {
      workers = [||];
      injector;
      background = Injector.create ();
      sleepers = Sleepers.create word;
      alarm;
      timers = Timers.create alarm;
      home = { name = "crew"; queue = Injector.push injector; wake = ignore; suspended = Suspended.create () };
      idle = ignore;
    }
  in
  let workers = Array.init n (fun index -> Worker.make parts ~index ~wake:word) in
  parts.workers <- workers;
  Array.iter (fun (w : Worker.t) -> Sleepers.join parts.sleepers w.sleeper ~joined:(ref false)) workers;
  last := workers;
  { parts; workers }

let worker c i name f =
  Process.spawn name @@ fun () ->
  Worker.attach c.workers.(i);
  f c.workers.(i)

let run w f = Worker.execute w (Job.T (Job.task Job.nobody f))

let steal_and_run w =
  let task = Worker.steal w in
  if task != Job.nil then Worker.execute w task

let rec run_own w =
  let task = Worker.own w in
  if task != Job.nil then begin
    Worker.execute w task;
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
