open Pool_state

type t = Pool_state.t

let name p = p.name
let domains p = p.domains
let present p = Respawn.present p.parts.sleepers
let room p = Sleep.room p.parts.sleepers
let find = Pool_state.find
let current = Pool_state.current
let stats = Pool_state.stats
let injected (p : t) = Atomic.get p.injections

(* What has been taken is read first: so no job that was there all the time is left out. *)
let queued (p : t) =
  let sum of_worker = Array.fold_left (fun n w -> n + of_worker w) 0 (all_workers p) in
  if Option.is_some p.final then 0
  else
    let taken = sum (fun (w : Worker.t) -> w.taken) in
    sum (fun w -> Deque.size w.deque) + max 0 (injected p - taken)

let timers (p : t) = Timers.count p.parts.timers

let waiting (p : t) =
  let suspended = p.parts.home.suspended in
  List.map Suspended_fibers.what (Suspended_fibers.waits suspended)
  @ List.init (Suspended_fibers.queued suspended) (fun _ -> Deadlock.queued_for_a_limit)

(* --- sizes --- *)

let domains_asked =
  Memo.once (fun () ->
      match Machine.domains_from_env (Sys.getenv_opt "WEFT_DOMAINS") with
      | Ok asked -> asked
      | Error why ->
          Printf.eprintf "weft: %s; using the machine's default\n%!" why;
          None)

let machine's_domains = Memo.once Machine.default_domains

let default_domains () =
  match domains_asked () with
  | Some n -> n
  | None -> if !Explored.on then Explored.domains else machine's_domains ()

(* --- making --- *)

let start_domains p ~wanted ~caller ~is_held =
  let workers = p.parts.workers in
  let backtraces = Printexc.backtrace_status () in
  let at_once =
    (* More domains than there is room for would only take processor time from the others. *)
    let room = Sleep.room p.parts.sleepers in
    if caller then room - 1 (* the caller works, too *)
    else if is_held then room (* measured or explored, by its only worker *)
    else 0 (* for a call inside a task: each domain starts when there is work for it *)
  in
  let rec start i =
    if i < Array.length workers then begin
      let w = workers.(i) in
      w.sleeper.respawn <- Some (Domain_lifecycle.respawn p w ~backtraces);
      if i > at_once then begin
        Respawn.absent p.parts.sleepers w.sleeper;
        start (i + 1)
      end
      else
        match Domain_lifecycle.start p w ~respawned:false ~backtraces with
        | Ok () -> start (i + 1)
        | Error exn ->
            Domain_lifecycle.warn_of_spawn_failure ~asked:wanted
              ~got:(i - (Array.length workers - wanted))
              exn;
            (* Workers that already run may still look at these, so they are released together with them. *)
            p.spare <- Array.sub workers i (Array.length workers - i);
            p.parts.workers <- Array.sub workers 0 i;
            (* A domain that runs already may have retired, and be started again meanwhile. *)
            Lock.protect p.parts.sleepers.lock (fun () -> p.own <- Array.sub p.own 0 i)
    end
  in
  start 1

let least_minor_heap = 4096

(* OCaml allows 128 domains, unless OCAMLRUNPARAM says otherwise: no workers are made for domains that can
   hardly start. *)
let most_workers = 256

let at_most_workers who ~wanted =
  Say.line
    "%s: %d domains asked for; going on with %d, the most that a pool has. More domains than processors gain \
     nothing: leave the number out"
    who wanted most_workers;
  most_workers

let make ?name ?domains ?minor_heap ?session ~caller ~masked who =
  let wanted =
    match domains with
    | None -> default_domains ()
    | Some n when n >= 1 -> n
    | Some n ->
        misuse who
          "a pool needs at least one domain, not %d; without the argument it has as many as there are \
           processors"
          n
  in
  (match minor_heap with
  | Some words when words < least_minor_heap ->
      misuse who "a minor heap needs at least %d words, not %d" least_minor_heap words
  | Some words when not (Minor_heap.fits words) ->
      Say.line
        "%s: minor heaps of %d words do not fit into the address space of this process (ulimit -v), and keep \
         their size"
        who words
  | Some _ | None -> ());
  let minor_heap_asked = Option.is_some minor_heap in
  let minor_heap = Minor_heap.choice ?asked:minor_heap ~domains:wanted () in
  !Trace_hooks.listener.look ();
  if Explored.is_function () && who <> "Weft.Pool.default" then
    misuse who "a function that is explored (Weft_explore) has one pool, the default one";
  let name = reserve who name in
  let wake_word = Deque_memory.make_word () and alarm = Timer_thread.create () in
  let session = match session with Some _ -> session | None -> Span_session.session_here () in
  (* A measured computation runs on one worker: see Work_span; an explored program, too: see Explored. *)
  let is_held = !Explored.on || Option.is_some session in
  let working = if is_held then 1 else wanted in
  let count = if caller then working else working + 1 in
  let count = if count > most_workers then at_most_workers who ~wanted else count in
  let watch = Monitor.create alarm ~workers:count in
  let timers = Timers.create alarm in
  (* Of the workers, which are made below. *)
  let is_deferred = ref (fun () -> false) in
  let sleepers =
    Sleepers.create wake_word
      ~watch:(fun () -> Monitor.soon watch)
      ~needs_alarm:(fun () -> (not (Timers.is_quiet timers)) || !is_deferred ())
      ~room:(Monitor.first_room watch)
  in
  let rec parts : Worker.parts =
    {
      workers = [||];
      first = (if caller then 0 else 1);
      extras = [||];
      injector = Injector.create ();
      background = Injector.create ();
      sleepers;
      alarm;
      timers;
      home =
        {
          name;
          queue = (fun task -> External_slot.queue p task);
          wake = (fun () -> External_slot.find_somebody p);
          suspended = Suspended_fibers.create ();
        };
      idle =
        (fun () ->
          Shutdown.idle p ();
          Deadlock.look p);
      look = (fun () -> Monitor.look watch parts);
      size_minor_heap = (fun w -> External_slot.size_minor_heap p w);
    }
  and p =
    {
      name;
      parts;
      wake_word;
      lock = Lock.create ();
      state = Open;
      masked;
      spare = [||];
      own = [||];
      fallbacks = [];
      slot_taken = false;
      calls = [];
      resting = [];
      roots = [];
      abandoned = false;
      being_closed = false;
      slot_kept = false;
      waiting = [];
      extra_slots = [];
      signs = [||];
      held_back = 0;
      closers = [];
      stop = Atomic.make false;
      quiet = Atomic.make false;
      domains = wanted;
      minor_heap;
      minor_heap_asked;
      hold = None;
      slot_hold = None;
      injections = Atomic.make 0;
      final = None;
    }
  in
  parts.workers <- Array.init count (fun index -> Worker.make parts ~index ~wake:wake_word);
  (is_deferred := fun () -> Worker.is_deferred parts);
  p.own <- Array.make (Array.length parts.workers) [];
  Option.iter
    (fun session -> Array.iter (fun (w : Worker.t) -> Span_session.attach w.deque session) parts.workers)
    session;
  if !Explored.on then Array.iter (fun (w : Worker.t) -> Deque_memory.hold w.deque) parts.workers;
  start_domains p ~wanted:working ~caller ~is_held;
  if not is_held then p.domains <- max 1 (Array.length p.parts.workers - if caller then 0 else 1);
  if caller && minor_heap_asked then p.hold <- Option.map Minor_heap.hold minor_heap;
  publish p;
  (* The program's end may have gone through the pools before. *)
  if Exit_functions.is_ending () then Shutdown.stop_at_exit p;
  p

let create ?name ?domains ?minor_heap ?session ~caller who =
  Domain_start.with_signals_masked (fun masked ->
      make ?name ?domains ?minor_heap ?session ~caller ~masked who)

(* --- submitting --- *)

let submit ?(background = false) p j who =
  let more = not (Injector.is_empty p.parts.injector) in
  Lock.protect p.lock (fun () ->
      External_slot.check_open p who;
      Atomic.incr p.injections;
      Injector.push (if background then p.parts.background else p.parts.injector) (Job.T j));
  (* A worker that is woken may find better work before this. *)
  if background then Worker.poll_for_background p.parts;
  External_slot.find_somebody ~more p

(* Calls from outside may overlap; the total is the time in which there was at least one. *)
type calls = {
  lock : Mutex.t;
  mutable clock : (unit -> int) option;
  mutable now : int;
  mutable since : int;
  mutable total : int;
}

let calls = { lock = Mutex.create (); clock = None; now = 0; since = 0; total = 0 }
let time_calls ~clock = calls.clock <- Some clock

let time_in_calls () =
  Mutex.protect calls.lock (fun () ->
      match calls.clock with
      | Some clock when calls.now > 0 -> calls.total + (clock () - calls.since)
      | Some _ | None -> calls.total)

let call_from_outside f =
  match calls.clock with
  | None -> f ()
  | Some clock ->
      Mutex.protect calls.lock (fun () ->
          if calls.now = 0 then calls.since <- clock ();
          calls.now <- calls.now + 1);
      let leave () =
        Mutex.protect calls.lock (fun () ->
            calls.now <- calls.now - 1;
            if calls.now = 0 then calls.total <- calls.total + (clock () - calls.since))
      in
      Fun.protect ~finally:leave f

let profiled p f = Work_span.task (External_slot.worker p).deque f

(* [f], and a function that cancels it, even before it begins. *)
let stoppable f =
  let context = Atomic.make None and stopped = Atomic.make None in
  let f () =
    Atomic.set context (Some (Context.current ()));
    Option.iter raise (Atomic.get stopped);
    f ()
  in
  let stop exn =
    Atomic.set stopped (Some exn);
    Option.iter (fun context -> Fiber.stop context exn) (Atomic.get context)
  in
  (f, stop)

let run p f who =
  match Worker.current () with
  | Some w when w.parts == p.parts -> f ()
  | Some _ ->
      let f = profiled p (Locals.keep (Task_name.within f)) in
      (* No task outlives its call: a caller that is cancelled cancels the task and waits for it. *)
      let group = Task_group.make () in
      let j = Job.task (Locals.spawn_context ()) (fun () -> Task_group.enter group f) in
      ignore (Job.add_waiter j (Forward_effects.outsider ignore) : bool);
      submit p j who;
      Suspend.suspend_until ~what:who ~cancel:(Task_group.stop group) j
  | None ->
      call_from_outside @@ fun () ->
      let f, stop = stoppable (profiled p (Locals.keep (Task_name.within f))) in
      External_caller.run_outside p f ~stop who

let task p f = Job.task (Locals.spawn_context ()) (profiled p f)

let async ?(background = false) p f who =
  let j = task p f in
  (match Worker.current () with
  | Some w when w.parts == p.parts && not background ->
      Deque_memory.count_fork w.deque;
      Worker.push w (Job.T j)
  | _ -> submit ~background p j who);
  j

(* --- the default pool --- *)

let the_default = Atomic.make None
let default_lock = Mutex.create ()
let open_default () = match Atomic.get the_default with Some p when p.state = Open -> Some p | _ -> None

(* One that is being closed is not waited for: it may wait for the caller. *)
let default () =
  match open_default () with
  | Some p -> p
  | None -> (
      Mutex.protect default_lock @@ fun () ->
      match open_default () with
      | Some p -> p
      | None ->
          Domain_start.with_signals_masked (fun masked ->
              let p = make ~name:default_name ~caller:true ~masked "Weft.Pool.default" in
              Atomic.set the_default (Some p);
              p))

let offer_default j who =
  match submit (default ()) j who with
  | () -> true
  | exception (Invalid_argument _ | Sys_error _ | Failure _ | Out_of_memory) -> false

let run_default f = run (default ()) f "Weft.run"

let await_outside j =
  call_from_outside @@ fun () ->
  (match Atomic.get the_default with
  | Some p when p.state = Open -> External_caller.await_in p j
  | _ -> Suspend.block j);
  Job.get j

let () =
  Outside_waiters.look := Extra_workers.look;
  Exit_functions.on_exit (fun () -> List.iter Shutdown.stop_at_exit (Pool_state.all ()));
  at_exit (fun () ->
      Exit_functions.finish ();
      Uncaught.report_all ();
      Weft_platform.Exit_code.change (Uncaught.code_at_exit ()))
