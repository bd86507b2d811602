open Pool_state

(* --- workers and the domains and threads that are them --- *)

let await_of_dla () =
  (* For libraries that block through Domain_local_await: a trigger is a promise. It works from any thread, so it does not
     matter if another thread of this domain gets it too. *)
  let trigger = Job.pending () in
  let release () =
    match Job.try_settle trigger (Returned ()) with Some ws -> Worker.deliver trigger ws | None -> ()
  in
  let await () =
    if not (Job.is_settled trigger) then
      match Worker.current () with
      | Some _ -> Waiting.suspend ~what:"Domain_local_await" trigger
      | None -> Waiting.block trigger
  in
  { Domain_local_await.release; await }

(* What is left in the deque of a worker that ends goes to the injector. *)
let empty_deque p (w : Worker.t) =
  let task = ref Job.nil in
  let rec move () =
    if !task == Job.nil then task := Deque.pop w.deque ~nil:Job.nil;
    if !task != Job.nil then begin
      Injector.push p.parts.injector !task;
      task := Job.nil;
      move ()
    end
  in
  Interrupt.complete move

(* [f ()], then [finish ()] whatever happens. [finish] can be called again, see Interrupt. *)
let finally finish f =
  match f () with
  | v ->
      Interrupt.complete finish;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Interrupt.complete finish;
      Printexc.raise_with_backtrace exn backtrace

(* The calling thread is worker [w], and runs [first], if any, and then what there is, until [until ()]. *)
let work_as ?first p (w : Worker.t) ~until =
  let more () = Worker.is_work p.parts || Timers.is_due p.parts.timers in
  let before = Deque_cells.current () in
  let joined = ref false and left = ref false in
  let leave () =
    if !joined && not !left then begin
      empty_deque p w;
      Worker.detach w;
      Deque_cells.set_current before;
      Sleepers.leave p.parts.sleepers w.sleeper ~left ~more
    end
  in
  finally leave @@ fun () ->
  Sleepers.join p.parts.sleepers w.sleeper ~joined;
  Worker.attach w;
  Domain_local_await.using ~prepare_for_await:await_of_dla ~while_running:(fun () ->
      Option.iter (Worker.execute w) first;
      Worker.work w ~until)

(* Signals belong to the threads of the user: a worker must not be the one that Sys.Break interrupts. Those that a thread
   raises by its own fault (SIGSEGV, SIGFPE, SIGPIPE, ...) stay. *)
let users_signals =
  Sys.[ sigint; sigterm; sighup; sigquit; sigalrm; sigusr1; sigusr2; sigchld; sigtstp; sigcont ]

let with_signals_masked f =
  if Sys.win32 then f ()
  else begin
    let before = Thread.sigmask SIG_BLOCK users_signals in
    let result = try Ok (f ()) with exn -> Error (exn, Printexc.get_raw_backtrace ()) in
    (* Runs the handlers of the signals that came meanwhile, which may raise. *)
    ignore (Thread.sigmask SIG_SETMASK before);
    match result with Ok v -> v | Error (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace
  end

(* What a domain of ours does first. Whether backtraces are recorded is a matter of each domain, and a new one asks
   OCAMLRUNPARAM only: it is to be as the domain that makes the pool. *)
let start_domain ~backtraces =
  Printexc.record_backtrace backtraces;
  Domain_local_await.per_thread (module Thread)

let worker_main p w ~backtraces () =
  start_domain ~backtraces;
  work_as p w ~until:(fun () -> Atomic.get p.stop)

(* --- the seat --- *)

let seat p = p.parts.workers.(0)

(* Somebody must be there. *)
let is_wanted p = Worker.is_work p.parts || not (Timers.is_empty p.parts.timers)

(* Takes the seat, if it is free and [admitted ()], and works; [false] if it is not free. The taking is noted beside it, with no
   safepoint between, so that a signal's exception finds the seat either not taken or given up again. *)
let rec try_sit ?first ?(admitted = ignore) ?(taken = false) p ~until =
  let taken = ref taken in
  let stand_up () =
    Lock.protect p.lock (fun () ->
        if !taken then begin
          p.seated <- false;
          taken := false
        end);
    List.iter Parker.unpark p.closers;
    ensure_somebody p
  in
  let sat = ref false in
  finally stand_up (fun () ->
      if not !taken then
        Lock.protect p.lock (fun () ->
            admitted ();
            if not p.seated then begin
              p.seated <- true;
              taken := true
            end);
      if !taken then begin
        sat := true;
        work_as ?first p (seat p) ~until
      end);
  !sat

(* Somebody must take what lies in the queues: called after every submission from outside, also by signal handlers, and by
   leavers. *)
and ensure_somebody p =
  if p.own = [] || p.waiting <> [] then (
    Lock.do_soon p.lock @@ fun () ->
    if not p.seated then begin
      match p.waiting with
      | parker :: _ -> Parker.unpark parker
      | [] ->
          if p.own = [] && p.state <> Ended && is_wanted p then begin
            p.resident_wanted <- true;
            p.seated <- true
          end
    end;
    if p.resident_wanted then start_resident p)

(* Under the lock; the seat is taken for the resident. *)
and start_resident p =
  (* It leaves when there is neither work nor a timer: [until] is asked before each wait. Whoever submits later starts another. *)
  let main () =
    Uncaught.guard "a resident" (fun () ->
        ignore (try_sit p ~taken:true ~until:(fun () -> not (is_wanted p))))
  in
  let backtraces = Printexc.backtrace_status () in
  let in_domain () =
    start_domain ~backtraces;
    main ()
  in
  with_signals_masked @@ fun () ->
  Own_threads.note ();
  (match Domain.spawn in_domain with
  | (_ : unit Domain.t) -> ()
  | exception _ -> (
      (* The thread uses the number that the domain did not. *)
      try ignore (Thread.create main ())
      with exn ->
        p.seated <- false;
        Printf.eprintf
          "weft: pool %S has nobody to run its work: neither a domain nor a thread could be started (%s)\n%!"
          p.name (Printexc.to_string exn)));
  p.resident_wanted <- false

(* --- submitting --- *)

(* If nobody sleeps, all may be busy for long, or about to be: then one of them shall give way after this time, see Waiting. *)
let patience = 1_000_000

let hurry p =
  if Sleepers.none_listed p.parts.sleepers && Deque_cells.current () == Deque_cells.nowhere () then
    Alarm.set p.parts.alarm (Alarm.now () + patience)

let find_somebody p =
  Interrupt.complete (fun () ->
      Sleepers.wake_one p.parts.sleepers ignore;
      ensure_somebody p;
      hurry p)

let queue p task =
  Atomic.incr p.injections;
  Injector.push p.parts.injector task

let check_open p who = if p.state <> Open then misuse who "pool %S is closed" p.name

(* --- outside callers --- *)

(* The calling thread is no worker and waits for [j], working along in [p] if the seat gets free. [now] holds the parker that
   the settling of [j] must unpark; [parker] is the caller's own. *)
let sit_until_settled ?first ?admitted p j ~now ~parker =
  Atomic.set now (seat p).sleeper.parker;
  let sat = try_sit ?first ?admitted p ~until:(fun () -> Job.is_settled j) in
  Atomic.set now parker;
  sat

let rec wait_for_turns p j ~now ~parker =
  if not (Job.is_settled j) then begin
    let free =
      Lock.protect p.lock @@ fun () ->
      let others = List.filter (fun other -> other != parker) p.waiting in
      let free = p.state <> Ended && not p.seated in
      p.waiting <- (if free then others else parker :: others);
      free
    in
    if not (free && sit_until_settled p j ~now ~parker) then ignore (Parker.park parker);
    wait_for_turns p j ~now ~parker
  end

(* The wake-up that came with a free seat may have been this thread's: hand it on. *)
let stop_waiting p ~parker () =
  Lock.protect p.lock (fun () -> p.waiting <- List.filter (fun other -> other != parker) p.waiting);
  ensure_somebody p

let wait_outside p j ~now ~parker =
  if not (Job.is_settled j) then finally (stop_waiting p ~parker) (fun () -> wait_for_turns p j ~now ~parker)

let caller_of j =
  let parker = Parker.create ~interruptible:true in
  let now = Atomic.make parker in
  (parker, now, Job.add_waiter j (Callback (fun () -> Parker.unpark (Atomic.get now))))

let run_to_its_end p j who =
  let parker, now, _ = caller_of j in
  let admitted () = check_open p who in
  if not (sit_until_settled ~first:(Job.T j) ~admitted p j ~now ~parker) then begin
    Lock.protect p.lock (fun () ->
        check_open p who;
        Atomic.incr p.injections;
        Injector.push p.parts.injector (Job.T j));
    find_somebody p
  end;
  wait_outside p j ~now ~parker

let run_outside p j who =
  match run_to_its_end p j who with
  | () -> Job.get j
  | exception exn when not (Job.is_settled j) ->
      let backtrace = Printexc.get_raw_backtrace () in
      p.abandoned <- true;
      Printexc.raise_with_backtrace exn backtrace

let await_in p j =
  let parker, now, must_wait = caller_of j in
  if must_wait then wait_outside p j ~now ~parker
