open Pool_state

(* The domain lets its worker go before the worker is noted as retired: from then on another domain may
   become it. *)
let retire p (w : Worker.t) ~gone () =
  if Deque.size w.deque > 0 then Respawn.Needed
  else begin
    w.retired_at <- Timer_thread.now ();
    let clock = w.clock and tell_of_leaving = Worker.tell_of_itself w !Trace_hooks.listener.left in
    Worker.detach w;
    match Respawn.retire p.parts.sleepers w.sleeper with
    | Gone ->
        gone := true;
        if !Trace_hooks.on then tell_of_leaving ~retired:true;
        Thread_clock.close clock;
        (* A thread that wanted to wake somebody meanwhile found the lock taken, left the waking to this
           thread, and saw a worker that was still there. And perhaps no other domain can be started before
           this one has ended. *)
        External_slot.ensure_somebody p;
        Respawn.Gone
    | (Woken | Needed) as stays ->
        Worker.attach w;
        stays
  end

(* Nanoseconds. Making a larger minor heap takes as long as starting the domain. So a respawned domain gets
   the pool's after the first job that ends so long after its start: a burst of small jobs is over before. *)
let minor_heap_after = 1_000_000

let work_in_domain p (w : Worker.t) ~respawned ~backtraces ~gone ~stop_hooks =
  let sized = (not respawned) || p.minor_heap_asked in
  w.minor_heap_at <- (if sized then max_int else Timer_thread.now () + minor_heap_after);
  let prepare () =
    Domain_start.prepare ?minor_heap:p.minor_heap ~sized ~backtraces ~masked:p.masked ();
    stop_hooks := Worker_hooks.start ()
  in
  let until () = Atomic.get p.stop || Option.is_some w.closing in
  Worker_thread.adapt_keep_alive w ~respawned;
  let retire : Worker_loop.retire = { after = w.keep_alive; leave = retire p w ~gone } in
  let work () =
    if respawned then Worker_loop.return w ~until retire else Worker_loop.work_elastic w ~until retire
  in
  Worker_thread.work_as p w ~prepare ~respawned ~gone work

(* The worker has left, and its jobs are in the injector. From here it is like one that has retired: it is
   respawned when there is work. *)
let replace p (w : Worker.t) ~jobs =
  Respawn.lost p.parts.sleepers w.sleeper ~soon:(w.jobs > jobs);
  External_slot.find_somebody p

(* Whoever waits for the pool's end may rely on it that its domains have called these functions. *)
let end_as_if_joined p stop_hooks () =
  stop_hooks ();
  Exit_functions.run ~where:(" in a domain of " ^ External_slot.domain_name p)

let domain_main p (w : Worker.t) ~respawned ~backtraces () =
  let gone = ref false and jobs = w.jobs and stop_hooks = ref ignore in
  let death =
    match work_in_domain p w ~respawned ~backtraces ~gone ~stop_hooks with
    | () -> None
    | exception exn ->
        Domain_start.mask_for_good ();
        Some exn
  in
  (* A worker that has retired may be another domain by now. *)
  let closing = if !gone then None else w.closing in
  (match (death, closing) with Some _, None when not !gone -> replace p w ~jobs | _ -> ());
  Option.iter (External_slot.tell_of_death p) death;
  match closing with None -> !stop_hooks () | Some close -> close ~leave:(end_as_if_joined p !stop_hooks)

(* Under the sleepers' lock. Signals are masked, so no handler runs while something is half done. *)
let start p (w : Worker.t) ~respawned ~backtraces =
  Domain_start.with_signals_masked @@ fun _ ->
  let before = p.own.(w.index) in
  match
    let d = Runtime_threads.domain (External_slot.domain_name p) in
    p.own.(w.index) <- d :: External_slot.still_there before;
    Runtime_threads.start d (domain_main p w ~respawned ~backtraces)
  with
  | () -> Ok ()
  | exception exn ->
      p.own.(w.index) <- before;
      Error exn

let warned = Atomic.make false

let warn_of_spawn_failure ~asked ~got exn =
  if not (Atomic.exchange warned true) then
    Say.line
      "only %d of %d domains could be started (%s); going on with those (OCaml allows 128 domains in all, \
       unless OCAMLRUNPARAM=d=... says otherwise)"
      got asked
      (match exn with Failure why -> why | exn -> Printexc.to_string exn)

let respawn p (w : Worker.t) ~backtraces () =
  Domain_start.with_signals_masked @@ fun _ ->
  match start p w ~respawned:true ~backtraces with
  | Ok () ->
      Respawn.came p.parts.sleepers w.sleeper;
      true
  | Error exn ->
      warn_of_spawn_failure ~asked:p.domains ~got:(Respawn.present p.parts.sleepers) exn;
      false
