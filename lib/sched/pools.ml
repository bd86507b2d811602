exception Closed of string

let () =
  Printexc.register_printer (function
    | Closed pool ->
        Some (Printf.sprintf "Weft.Pool.Closed(%S): what this fiber waited for can no longer happen" pool)
    | _ -> None)

type state = Open | Closing | Ended
type worker_stats = { forks : int; jobs : int; steals : int; parks : int; wakes : int }

type t = {
  name : string;
  parts : Worker.parts;
  wake_word : Deque_cells.word;
  lock : Lock.t; (* guards all that follows *)
  mutable state : state;
  mutable spare : Worker.t array; (* workers whose domains could not be started *)
  mutable own : unit Domain.t list; (* the pool's domains *)
  mutable seated : bool;
  mutable resident_wanted : bool; (* the seat is taken for a resident that is still to be started *)
  mutable waiting : Parker.t list; (* outside callers that would sit down, youngest first *)
  mutable abandoned : bool; (* a signal's exception took a caller away from its call *)
  mutable being_closed : bool; (* a thread is at it *)
  mutable closers : Parker.t list; (* threads that close the pool *)
  stop : bool Atomic.t; (* the workers are to end *)
  quiet : bool Atomic.t; (* while closing: there was nothing left to run *)
  mutable domains : int;
  injections : int Atomic.t; (* jobs ever put into the injector from outside *)
  mutable final : worker_stats array option; (* once ended *)
}

let name p = p.name
let domains p = p.domains
let misuse who fmt = Printf.ksprintf (fun what -> invalid_arg (Printf.sprintf "%s: %s" who what)) fmt

(* --- all open pools, by name --- *)

(* A name without a pool is taken by one that is being made. *)
let pools : (string, t option) Hashtbl.t = Hashtbl.create 8
let pools_lock = Mutex.create ()
let numbered = Atomic.make 1
let find name = Mutex.protect pools_lock (fun () -> Option.join (Hashtbl.find_opt pools name))
let default_name = "default"

(* Reserves the name, or the next unused number. *)
let reserve who name =
  Mutex.protect pools_lock @@ fun () ->
  let rec unused () =
    let name = Printf.sprintf "pool-%d" (Atomic.fetch_and_add numbered 1) in
    if Hashtbl.mem pools name then unused () else name
  in
  let name =
    match name with
    | None -> unused ()
    | Some name when name = default_name && who <> "Weft.Pool.default" ->
        misuse who "the name %S is that of the default pool" name
    | Some name when Hashtbl.mem pools name -> misuse who "there is an open pool named %S already" name
    | Some name -> name
  in
  Hashtbl.add pools name None;
  name

let publish p = Mutex.protect pools_lock (fun () -> Hashtbl.replace pools p.name (Some p))
let unregister name = Mutex.protect pools_lock (fun () -> Hashtbl.remove pools name)

let others p =
  Mutex.protect pools_lock (fun () ->
      Hashtbl.fold (fun _ q found -> match q with Some q when q != p -> q :: found | _ -> found) pools [])

let current () =
  match Worker.current () with
  | None -> None
  | Some w -> (
      match find w.parts.home.name with Some p when p.parts.home == w.parts.home -> Some p | _ -> None)

(* --- sizes --- *)

let default_domains =
  let computed =
    lazy
      (match Machine.domains_from_env (Sys.getenv_opt "WEFT_DOMAINS") with
      | Ok (Some n) -> n
      | Ok None -> Machine.default_domains ()
      | Error why ->
          Printf.eprintf "weft: %s; using the machine's default\n%!" why;
          Machine.default_domains ())
  in
  let lock = Mutex.create () in
  fun () -> Mutex.protect lock (fun () -> Lazy.force computed)

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
      match Worker.current () with Some _ -> Waiting.suspend trigger | None -> Waiting.block trigger
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
  let more () = Worker.is_work p.parts in
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
          if p.own = [] && p.state <> Ended && Worker.is_work p.parts then begin
            p.resident_wanted <- true;
            p.seated <- true
          end
    end;
    if p.resident_wanted then start_resident p)

(* Under the lock; the seat is taken for the resident. *)
and start_resident p =
  (* It leaves at the first lack of work: [until] is asked before each wait. Whoever submits later starts another. *)
  let main () = ignore (try_sit p ~taken:true ~until:(fun () -> not (Worker.is_work p.parts))) in
  let backtraces = Printexc.backtrace_status () in
  let in_domain () =
    start_domain ~backtraces;
    main ()
  in
  with_signals_masked @@ fun () ->
  (match Domain.spawn in_domain with
  | (_ : unit Domain.t) -> ()
  | exception _ -> (
      try ignore (Thread.create main ())
      with exn ->
        p.seated <- false;
        Printf.eprintf
          "weft: pool %S has nobody to run its work: neither a domain nor a thread could be started (%s)\n%!"
          p.name (Printexc.to_string exn)));
  p.resident_wanted <- false

(* --- submitting --- *)

let find_somebody p =
  Interrupt.complete (fun () ->
      Sleepers.wake_one p.parts.sleepers ignore;
      ensure_somebody p)

let inject p task =
  Atomic.incr p.injections;
  Injector.push p.parts.injector task;
  find_somebody p

let check_open p who = if p.state <> Open then misuse who "pool %S is closed" p.name

(* --- making --- *)

let warned = Atomic.make false

let warn_of_spawn_failure ~asked ~got why =
  if not (Atomic.exchange warned true) then
    Printf.eprintf
      "weft: only %d of %d domains could be started (%s); going on with those (OCaml allows 128 domains in \
       all)\n\
       %!"
      got asked why

let idle p () =
  (* A closer waits for this: everybody asleep, nothing queued. The caller is listed already. *)
  if p.state = Closing && Sleepers.all_listed p.parts.sleepers && not (Worker.is_work p.parts) then begin
    Atomic.set p.quiet true;
    Lock.protect p.lock (fun () -> List.iter Parker.unpark p.closers);
    Parker.unpark (seat p).sleeper.parker
  end

let start_domains p ~wanted =
  let workers = p.parts.workers in
  let backtraces = Printexc.backtrace_status () in
  let rec start i =
    if i < Array.length workers then
      match Domain.spawn (worker_main p workers.(i) ~backtraces) with
      | d ->
          p.own <- d :: p.own;
          start (i + 1)
      | exception exn ->
          let why = match exn with Failure why -> why | exn -> Printexc.to_string exn in
          warn_of_spawn_failure ~asked:wanted ~got:(i - (Array.length workers - wanted)) why;
          (* Those already running may still look at the others: these are released with them. *)
          p.spare <- Array.sub workers i (Array.length workers - i);
          p.parts.workers <- Array.sub workers 0 i
  in
  with_signals_masked (fun () -> start 1)

let create ?name ?domains ~caller who =
  let wanted =
    match domains with
    | None -> default_domains ()
    | Some n when n >= 1 -> n
    | Some n -> misuse who "a pool needs at least one domain, not %d" n
  in
  let name = reserve who name in
  let wake_word = Deque_cells.make_word () in
  let parts =
    {
      Worker.workers = [||];
      injector = Injector.create ();
      sleepers = Sleepers.create wake_word;
      home = { name; inject = ignore; suspended = Suspended.create () };
      idle = ignore;
    }
  in
  let p =
    {
      name;
      parts;
      wake_word;
      lock = Lock.create ();
      state = Open;
      spare = [||];
      own = [];
      seated = false;
      resident_wanted = false;
      abandoned = false;
      being_closed = false;
      waiting = [];
      closers = [];
      stop = Atomic.make false;
      quiet = Atomic.make false;
      domains = wanted;
      injections = Atomic.make 0;
      final = None;
    }
  in
  parts.home.inject <- inject p;
  parts.idle <- idle p;
  let count = if caller then wanted else wanted + 1 in
  (* Beyond OCaml's limit no domain can start: make no workers for them. *)
  parts.workers <- Array.init (min count 256) (fun index -> Worker.make parts ~index ~wake:wake_word);
  start_domains p ~wanted;
  p.domains <- max 1 (List.length p.own + if caller then 1 else 0);
  publish p;
  p

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

let submit p j who =
  Lock.protect p.lock (fun () ->
      check_open p who;
      Atomic.incr p.injections;
      Injector.push p.parts.injector (Job.T j));
  find_somebody p

let run p f who =
  match Worker.current () with
  | Some w when w.parts == p.parts -> f ()
  | Some _ ->
      let j = Job.task f in
      submit p j who;
      Waiting.suspend j
  | None -> run_outside p (Job.task f) who

let async p f who =
  let j = Job.task f in
  (match Worker.current () with
  | Some w when w.parts == p.parts ->
      Deque_cells.count_fork w.deque;
      Worker.push w (Job.T j)
  | _ -> submit p j who);
  j

(* --- the default pool --- *)

let the_default = Atomic.make None
let default_lock = Mutex.create ()
let open_default () = match Atomic.get the_default with Some p when p.state = Open -> Some p | _ -> None

let rec default () =
  match open_default () with
  | Some p -> p
  | None -> (
      let made =
        Mutex.protect default_lock @@ fun () ->
        match (open_default (), Atomic.get the_default) with
        | (Some _ as p), _ -> p
        | None, Some p when p.state = Closing -> None
        | None, _ ->
            let p = create ~name:default_name ~caller:true "Weft.Pool.default" in
            Atomic.set the_default (Some p);
            Some p
      in
      match made with
      | Some p -> p
      | None ->
          (* The last one is still being closed. *)
          Thread.yield ();
          default ())

let run_default f = run (default ()) f "Weft.run"

let await_outside j =
  (match Atomic.get the_default with
  | Some p when p.state = Open ->
      let parker, now, must_wait = caller_of j in
      if must_wait then wait_outside p j ~now ~parker
  | _ -> Waiting.block j);
  Job.get j

let unpark_all p = Array.iter (fun (w : Worker.t) -> Parker.unpark w.sleeper.parker) p.parts.workers

(* At exit nobody is waited for: a task that never ends must not keep the program. *)
let () =
  at_exit (fun () ->
      (match Atomic.get the_default with
      | None -> ()
      | Some p ->
          Atomic.set p.stop true;
          unpark_all p);
      Uncaught.report_all ())

(* --- closing --- *)

let stats p =
  match p.final with
  | Some s -> s
  | None ->
      Array.map
        (fun (w : Worker.t) ->
          {
            forks = Deque_cells.forks w.deque;
            jobs = w.jobs;
            steals = w.steals;
            parks = w.sleeper.parks;
            wakes = w.sleeper.wakes;
          })
        p.parts.workers

(* No job is queued or running, no fiber waits in the list, and none was resumed while we looked: a fiber that is being
   resumed stays in the list until it is queued, and whoever queues it counts it first. *)
let is_finished p =
  let seen = Atomic.get p.injections in
  let suspended = p.parts.home.suspended in
  Suspended.is_empty suspended
  && (not (Worker.is_work p.parts))
  && Sleepers.all_listed p.parts.sleepers && Suspended.is_empty suspended
  && Atomic.get p.injections = seen

let rec wait_for_quiet p parker =
  if not (Atomic.get p.quiet) then begin
    if not (try_sit p ~until:(fun () -> Atomic.get p.quiet)) then begin
      (* Those who sleep already must look around once more, to find that all is quiet. *)
      unpark_all p;
      ignore (Parker.park_for parker 0.01)
    end;
    wait_for_quiet p parker
  end

let rec wait_for_seat p parker =
  let taken =
    Lock.protect p.lock @@ fun () ->
    let free = not p.seated in
    p.seated <- true;
    free
  in
  if not taken then begin
    unpark_all p;
    ignore (Parker.park_for parker 0.01);
    wait_for_seat p parker
  end

let is_quiet p =
  Suspended.is_empty p.parts.home.suspended
  && (not (Worker.is_work p.parts))
  && Sleepers.all_listed p.parts.sleepers

let rec drain p parker =
  Atomic.set p.quiet false;
  wait_for_quiet p parker;
  if not (is_finished p) then begin
    let suspended = p.parts.home.suspended in
    (* Fibers that wait for tasks may wait for those of other pools, as long as one of these has anything to do. *)
    if Suspended.has_sources suspended || List.for_all is_quiet (others p) then
      Suspended.cancel_some suspended (Closed p.name)
    else ignore (Parker.park_for parker 0.01);
    drain p parker
  end

let end_workers p =
  Atomic.set p.stop true;
  unpark_all p;
  List.iter
    (fun d ->
      try Domain.join d
      with exn ->
        Printf.eprintf "weft: a domain of pool %S ended with an exception: %s\n%!" p.name
          (Printexc.to_string exn))
    p.own;
  p.own <- [];
  p.final <- Some (stats p);
  Array.iter Worker.release p.parts.workers;
  Array.iter Worker.release p.spare;
  Deque_cells.free_word p.wake_word

let end_pool p parker =
  drain p parker;
  (* Nobody sits down any more: the seat is kept. *)
  wait_for_seat p parker;
  end_workers p;
  unregister p.name;
  Lock.protect p.lock (fun () -> p.state <- Ended);
  List.iter Parker.unpark p.closers;
  Uncaught.report_pool p.name

let rec close_or_wait p parker =
  let mine =
    Lock.protect p.lock @@ fun () ->
    let mine = p.state <> Ended && not p.being_closed in
    if mine then begin
      p.being_closed <- true;
      p.state <- Closing
    end;
    mine
  in
  if mine then
    (* If a signal's exception ends it, the next call of close goes on. *)
    finally (fun () -> p.being_closed <- false) (fun () -> end_pool p parker)
  else if p.state <> Ended then begin
    ignore (Parker.park_for parker 0.1);
    close_or_wait p parker
  end

let close_outside p =
  let parker = Parker.create ~interruptible:true in
  Lock.protect p.lock (fun () -> p.closers <- parker :: p.closers);
  close_or_wait p parker

let close p who =
  match Worker.current () with
  | None -> close_outside p
  | Some w when w.parts == p.parts -> misuse who "pool %S cannot be closed by one of its own tasks" p.name
  | Some _ ->
      (* A task of another pool: its worker must not be blocked. *)
      let closed = Job.pending () in
      let close () =
        let outcome : _ Job.state =
          match close_outside p with
          | () -> Returned ()
          | exception exn -> Raised (Job.failure exn (Printexc.get_raw_backtrace ()))
        in
        Worker.deliver closed (Option.value (Job.try_settle closed outcome) ~default:[])
      in
      ignore (Thread.create close ());
      Waiting.suspend closed

let use_and_close p who f =
  match f () with
  | v ->
      close p who;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      (* Whoever presses Ctrl-C will not wait for tasks that may never end. *)
      if p.abandoned then ignore (Thread.create close_outside p) else close p who;
      Printexc.raise_with_backtrace exn backtrace
