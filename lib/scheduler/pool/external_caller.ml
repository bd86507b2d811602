open Pool_state

(* --- workers and the domains and threads that are them --- *)

let await_of_dla () =
  (* For libraries that block through Domain_local_await: a trigger is a promise. It works from any thread, so it does not
     matter if another thread of this domain gets it too. *)
  let trigger = Job.pending () in
  let release () =
    match Job.try_settle trigger (Returned ()) with Some ws -> Resume.deliver trigger ws | None -> ()
  in
  let await () =
    if not (Job.is_settled trigger) then
      match Worker.current () with
      | Some _ -> Suspend.suspend ~what:"Domain_local_await" trigger
      | None -> Suspend.block trigger
  in
  { Domain_local_await.release; await }

(* For starting domains, with nothing half done when a handler runs that is not known yet ({!Handlers}). Those that a thread brings upon itself, by a fault or a system call,
   stay. *)
let own_doing =
  Sys.[ sigabrt; sigbus; sigfpe; sigill; sigpipe; sigsegv; sigsys; sigtrap; sigttin; sigttou; sigxfsz ]

let others_doing = Signal_mask.without Signal_mask.all own_doing

let with_signals_masked f =
  if Sys.win32 then f (Signal_mask.of_list []) else Signal_mask.while_blocked others_doing f

(* What is left in the deque of a worker that ends goes to the injector. *)
let empty_deque p (w : Worker.t) =
  let rec move () =
    let task = Deque.pop w.deque ~nil:Job.nil in
    if task != Job.nil then begin
      Injector.push p.parts.injector task;
      move ()
    end
  in
  move ()

(* A thread's clock lasts as long as the thread, and a pool's callers are mostly the same one. *)
let know_clock (w : Worker.t) =
  let thread = Thread.id (Thread.self ()) in
  if w.thread <> thread then begin
    w.thread <- -1;
    Thread_clock.close w.clock;
    w.clock <- Thread_clock.of_self ();
    w.thread <- thread
  end

(* The calling thread is worker [w] while it does [work ()]; or until it is [gone]. *)
let work_as ?(prepare = ignore) ?(respawned = false) ?(gone = ref false) p (w : Worker.t) work =
  let more () = Worker.is_work p.parts || Timers.is_due p.parts.timers in
  let before = Deque_memory.current () in
  let leave () =
    if not !gone then begin
      if !Trace_hooks.on then Worker.tell_of_itself w !Trace_hooks.listener.left ~retired:false;
      empty_deque p w;
      Worker.detach w;
      Deque_memory.set_current before;
      Sleep.leave p.parts.sleepers w.sleeper ~more
    end
  in
  if not respawned then Sleep.join p.parts.sleepers w.sleeper ~more;
  Fun.protect ~finally:leave @@ fun () ->
  prepare ();
  know_clock w;
  Worker.attach w;
  if !Trace_hooks.on then Worker.tell_of_itself w !Trace_hooks.listener.joined ~returned:respawned;
  Domain_local_await.using ~prepare_for_await:await_of_dla ~while_running:work

(* First, so that no handler raises here. *)
let unmask masked =
  ignore (Handlers.take_over () : bool);
  if not Sys.win32 then Signal_mask.set masked

(* A handler that is not known yet (Handlers) raises wherever it strikes. In the middle of a task, it is that task's exception. In the worker's
   own loop, it ends the loop, as it does for a caller in the seat. *)
let mask_for_good () = if not Sys.win32 then Signal_mask.block_for_good others_doing

(* What a domain of ours does first. Whether backtraces are recorded is a matter of each domain, and a new one asks
   OCAMLRUNPARAM only: it is to be as the domain that makes the pool. *)
let start_domain ?minor_heap ?(settled = true) ~backtraces ~masked () =
  unmask masked;
  Option.iter (if settled then Minor_heap.use else Minor_heap.expect) minor_heap;
  Printexc.record_backtrace backtraces;
  Domain_local_await.per_thread (module Thread)

(* A thread in the caller's domain would keep that from ending, and [main] may wait for that end. *)
let start_apart ?minor_heap ?(no_domain = ignore) domain ~masked main =
  let backtraces = Printexc.backtrace_status () in
  (* It begins with the signals masked. What a handler raises as soon as they are not must not keep [main] from being called: somebody
     relies on it. *)
  let apart begin_ () =
    Signals.aside (fun () ->
        (try begin_ ()
         with exn ->
           mask_for_good ();
           Say.line "an exception struck a new thread, which goes on (%s)" (Printexc.to_string exn));
        main ())
  in
  let in_domain = apart (fun () -> start_domain ?minor_heap ~backtraces ~masked ())
  and in_thread = apart (fun () -> unmask masked) in
  try Runtime_threads.start domain in_domain
  with _ ->
    no_domain ();
    ignore (Runtime_threads.start_thread (Thread.create in_thread) : Thread.t)

(* --- how long who has nothing to do waits for more --- *)

(* Seconds. Long enough that a program which now and then has work for all finds them waiting; a domain that waits takes part in
   every collection, and a new one costs some 100 us. *)
let patience = Atomic.make 0.005

(* Where work comes back soon again and again, as in a program that draws sixty pictures a second, workers wait longer. *)
let most_patience = 16.
let soon = 10.

let adapt_patience (w : Worker.t) ~respawned =
  let least = Atomic.get patience in
  let now = Timer_thread.now () in
  let away = float_of_int (now - w.gone_at) *. 1e-9 in
  w.came_at <- now;
  w.patience <-
    (if respawned && away < soon *. least then
       Float.max least (Float.min (most_patience *. least) (2. *. w.patience))
     else least)

(* Somebody must be there. *)
let is_wanted p = Worker.is_work p.parts || not (Timers.is_empty p.parts.timers)

(* --- the seat --- *)

let seat p = p.parts.workers.(0)
let is_deserted p = Sleep.is_deserted p.parts.sleepers
let domain_name p = Printf.sprintf "pool %S" p.name
let still_there = List.filter (fun d -> not (Runtime_threads.has_ended d))
let is_open_still p = p.state = Open && not (Atomic.get p.stop)

let tell_of_death p exn =
  Say.line "a worker of pool %S was ended by an exception (%s); another one takes its place" p.name
    (Printexc.to_string exn)

let despite_death p f =
  try f ()
  with exn ->
    mask_for_good ();
    tell_of_death p exn

(* Who works for long has the larger minor heap; the thread in the seat, which goes on alone afterwards, until it leaves. *)
let settle p (w : Worker.t) =
  if w.index > 0 then Option.iter Minor_heap.use p.minor_heap
  else if Option.is_none p.seat_hold then p.seat_hold <- Option.map Minor_heap.hold p.minor_heap

let unsettle p =
  Option.iter Minor_heap.release p.seat_hold;
  p.seat_hold <- None

let take_seat p ~admitted =
  Lock.protect p.lock (fun () ->
      admitted ();
      let free = not p.seated in
      if free then p.seated <- true;
      free)

(* Takes the seat, if it is free and [admitted ()], and works; [false] if it is not free. *)
let rec try_sit ?first ?(admitted = ignore) p ~until =
  let sits = take_seat p ~admitted in
  if sits then Fun.protect ~finally:(fun () -> stand_up p) (fun () -> sit ?first p ~until);
  sits

and sit ?first p ~until =
  let w = seat p in
  w.settled <- p.minor_heap_asked || Option.is_none p.minor_heap;
  work_as p w (fun () ->
      Option.iter (Worker_loop.execute w) first;
      Worker_loop.work w ~until)

and stand_up p =
  unsettle p;
  Lock.protect p.lock (fun () -> p.seated <- false);
  List.iter Parker.unpark p.closers;
  ensure_somebody p

(* Somebody must take what lies in the queues: called after every submission from outside, also by signal handlers, and by
   leavers. When the program ends, only callers do. *)
and ensure_somebody p =
  (* No work, perhaps, but timers: somebody has to wait for the alarm. *)
  if has_domains p && is_deserted p && is_wanted p then Sleep.wake_one p.parts.sleepers ignore;
  if p.waiting <> [] || (not (has_domains p)) || is_deserted p then (
    Lock.do_soon p.lock @@ fun () ->
    if not p.seated then begin
      match p.waiting with
      | parker :: _ -> Parker.unpark parker
      | [] ->
          (* The pool has no domains of its own, or none can be started again. *)
          if is_deserted p && p.state <> Ended && (not (Atomic.get p.stop)) && is_wanted p then begin
            p.seated <- true;
            p.calls <- call_to_seat p :: p.calls
          end
    end;
    answer_calls p)

(* The resident leaves the seat when there is neither work nor a timer: [until] is asked before each wait. A caller finds the seat
   free then, while this thread rests; and whoever submits calls it back. *)
and call_to_seat p =
  let until () = Atomic.get p.stop || not (is_wanted p) in
  let give_up exn =
    p.seated <- false;
    Printf.eprintf
      "weft: pool %S has nobody to run its work: neither a domain nor a thread could be started (%s)\n%!"
      p.name (Printexc.to_string exn)
  in
  { place = seat p; work = (fun () -> sit p ~until); leave = (fun () -> stand_up p); give_up }

(* Under the lock. *)
and answer_calls p =
  match (p.calls, p.resting) with
  | [], _ -> ()
  | call :: others, [] ->
      start_resident p call ~others;
      answer_calls p
  | call :: calls, r :: others ->
      p.resting <- others;
      r.called <- Some call;
      p.calls <- calls;
      Parker.unpark r.parker;
      answer_calls p

and reside p r call =
  despite_death p call.work;
  call.leave ();
  r.called <- None;
  let stop () =
    Lock.protect p.lock (fun () ->
        p.resting <- List.filter (fun other -> other != r) p.resting;
        if Option.is_none r.called then call.place.gone_at <- Timer_thread.now ())
  in
  despite_death p (fun () ->
      Fun.protect ~finally:stop (fun () ->
          Lock.protect p.lock (fun () -> if is_open_still p then p.resting <- r :: p.resting);
          rest p r ~patience:call.place.patience));
  (* Nobody calls it any more: it is not in the list. *)
  Option.iter (reside p r) r.called

(* Who closes the pool, or ends the program, gives it a token. *)
and rest p r ~patience =
  if is_open_still p && Option.is_none r.called then
    match Parker.park_for r.parker patience with Timed_out -> () | Token | Interrupted -> rest p r ~patience

(* Under the lock. *)
and start_resident p call ~others =
  let r = { parker = Parker.create ~interruptible:false; called = None } in
  let main () = reside p r call in
  adapt_patience call.place ~respawned:true;
  with_signals_masked @@ fun _ ->
  let d = Runtime_threads.domain (domain_name p) and before = p.residents in
  p.residents <- d :: still_there before;
  (try
     start_apart ?minor_heap:p.minor_heap ~no_domain:(fun () -> p.residents <- before) d ~masked:p.masked main
   with exn -> call.give_up exn);
  p.calls <- others

(* --- the pool's own domains --- *)

(* A worker's domain lets it go before it is noted as gone: from then on it is another domain's. *)
let retire p (w : Worker.t) ~gone () =
  if Deque.size w.deque > 0 then Sleep.Needed
  else begin
    w.gone_at <- Timer_thread.now ();
    let clock = w.clock and tell_of_leaving = Worker.tell_of_itself w !Trace_hooks.listener.left in
    Worker.detach w;
    match Sleep.retire p.parts.sleepers w.sleeper with
    | Gone ->
        gone := true;
        if !Trace_hooks.on then tell_of_leaving ~retired:true;
        Thread_clock.close clock;
        (* Who wanted to wake somebody meanwhile found the lock taken, left it to this thread, and saw a worker that was still
           there; and no other domain can be started, perhaps, while this one lasts. *)
        ensure_somebody p;
        Sleep.Gone
    | (Woken | Needed) as stays ->
        Worker.attach w;
        stays
  end

let work_in_domain p (w : Worker.t) ~respawned ~backtraces ~gone =
  (* A larger minor heap takes as long as the domain: who is respawned works for a while first. *)
  w.settled <- (not respawned) || p.minor_heap_asked;
  let prepare () = start_domain ?minor_heap:p.minor_heap ~settled:w.settled ~backtraces ~masked:p.masked () in
  let until () = Atomic.get p.stop in
  adapt_patience w ~respawned;
  let retire : Worker_loop.retire = { after = w.patience; leave = retire p w ~gone } in
  let work () =
    if respawned then Worker_loop.return w ~until retire else Worker_loop.work_elastic w ~until retire
  in
  work_as p w ~prepare ~respawned ~gone work

let hurry p = if Deque_memory.current () == Deque_memory.nowhere () then Worker.hurry p.parts

let find_somebody ?(more = false) p =
  Sleep.wake_one p.parts.sleepers ignore;
  if more then Sleep.wake_another p.parts.sleepers;
  ensure_somebody p;
  hurry p

(* It has left, with what was in its deque: it is like one that has retired, and is respawned when there is work. *)
let replace p (w : Worker.t) ~jobs =
  Sleep.lost p.parts.sleepers w.sleeper ~soon:(w.jobs > jobs);
  find_somebody p

let domain_main p (w : Worker.t) ~respawned ~backtraces () =
  let gone = ref false and jobs = w.jobs in
  try work_in_domain p w ~respawned ~backtraces ~gone
  with exn ->
    mask_for_good ();
    if not !gone then replace p w ~jobs;
    tell_of_death p exn

(* Under the lock of the sleepers. What comes of signals while they are masked: nothing is half done when a handler runs. *)
let start_domain_of p (w : Worker.t) ~respawned ~backtraces =
  with_signals_masked @@ fun _ ->
  let before = p.own.(w.index) in
  match
    let d = Runtime_threads.domain (domain_name p) in
    p.own.(w.index) <- d :: still_there before;
    Runtime_threads.start d (domain_main p w ~respawned ~backtraces)
  with
  | () -> Ok ()
  | exception exn ->
      p.own.(w.index) <- before;
      Error exn

let warned = Atomic.make false

let warn_of_spawn_failure ~asked ~got exn =
  if not (Atomic.exchange warned true) then
    Printf.eprintf
      "weft: only %d of %d domains could be started (%s); going on with those (OCaml allows 128 domains in \
       all, unless OCAMLRUNPARAM=d=... says otherwise)\n\
       %!"
      got asked
      (match exn with Failure why -> why | exn -> Printexc.to_string exn)

let respawn p (w : Worker.t) ~backtraces () =
  with_signals_masked @@ fun _ ->
  match start_domain_of p w ~respawned:true ~backtraces with
  | Ok () ->
      Sleep.came p.parts.sleepers w.sleeper;
      true
  | Error exn ->
      warn_of_spawn_failure ~asked:p.domains ~got:(Sleep.present p.parts.sleepers) exn;
      false

(* --- submitting --- *)

let queue p task =
  Atomic.incr p.injections;
  Injector.push p.parts.injector task

let check_open p who = if p.state <> Open then misuse who "pool %S is closed" p.name

(* --- outside callers --- *)

(* The calling thread is no worker and waits for [j], working along in [p] if the seat gets free. [now] holds the parker that
   the settling of [j] must unpark; [parker] is the caller's own. *)
let sit_until_settled ?first ?admitted p j ~now ~parker c =
  Atomic.set now (seat p).sleeper.parker;
  let until () = Job.is_settled j || Exit_functions.are_due () || Signals.is_left c in
  Signals.sits c true;
  let sat = try_sit ?first ?admitted p ~until in
  Signals.sits c false;
  Atomic.set now parker;
  sat

(* Until the job is settled, or a signal's handler has this thread leave. *)
let rec wait_for_turns p j ~now ~parker ~place c =
  Signals.poll_in_line c place;
  if not (Job.is_settled j || Signals.is_left c) then begin
    Exit_functions.run_if_due ();
    let free =
      Lock.protect p.lock @@ fun () ->
      let others = List.filter (fun other -> other != parker) p.waiting in
      let free = p.state <> Ended && not p.seated in
      p.waiting <- (if free then others else parker :: others);
      free
    in
    if free then begin
      Outside_waiters.leave place;
      ignore (sit_until_settled p j ~now ~parker c : bool)
    end
    else Outside_waiters.park place infinity;
    wait_for_turns p j ~now ~parker ~place c
  end

(* The wake-up that came with a free seat may have been this thread's: hand it on. *)
let stop_waiting p ~parker ~place () =
  Outside_waiters.leave place;
  Lock.protect p.lock (fun () -> p.waiting <- List.filter (fun other -> other != parker) p.waiting);
  ensure_somebody p

let wait_outside p j ~now ~parker c =
  if not (Job.is_settled j) then begin
    let place = Outside_waiters.place parker in
    Fun.protect ~finally:(stop_waiting p ~parker ~place) (fun () -> wait_for_turns p j ~now ~parker ~place c)
  end

(* For the signals that the calling thread's computation gets. *)
let computing ?stop p ~now f =
  let wake () =
    Array.iter (fun (w : Worker.t) -> Deque.request_preempt w.deque) (all_workers p);
    Parker.unpark (Atomic.get now)
  in
  Signals.enter ~home:p.parts.home ?stop ~wake f

(* A caller's parker, and what holds the one that it waits with now. *)
let caller () =
  let parker = Parker.create ~interruptible:true in
  (parker, Atomic.make parker)

let must_wait j ~now =
  Forward_effects.await ~first:false j (Forward_effects.outsider (fun () -> Parker.unpark (Atomic.get now)))

let run_to_its_end p j who ~now ~parker c =
  Exit_functions.while_waiting parker @@ fun () ->
  let admitted () = check_open p who in
  if not (sit_until_settled ~first:(Job.T j) ~admitted p j ~now ~parker c) then begin
    Lock.protect p.lock (fun () ->
        check_open p who;
        Atomic.incr p.injections;
        Injector.push p.parts.injector (Job.T j));
    find_somebody p
  end;
  wait_outside p j ~now ~parker c;
  if not (Job.is_settled j) then raise_notrace Signals.Gone

let run_outside p f ~stop who =
  let parker, now = caller () in
  computing ~stop p ~now @@ fun c ->
  Deadlock.as_root p f @@ fun f ->
  let j = Job.task (Locals.maker ()) f in
  ignore (must_wait j ~now : bool);
  match run_to_its_end p j who ~now ~parker c with
  | () -> Job.get j
  | exception exn when not (Job.is_settled j) ->
      let backtrace = Printexc.get_raw_backtrace () in
      p.abandoned <- true;
      (* The caller has its own exception. *)
      if not (Job.add_waiter j Witness) then Job.witness j;
      Printexc.raise_with_backtrace exn backtrace

let await_in p j =
  let parker, now = caller () in
  if must_wait j ~now then
    computing p ~now @@ fun c ->
    Deadlock.as_root p ignore @@ fun _ ->
    Exit_functions.while_waiting parker (fun () -> wait_outside p j ~now ~parker c)
