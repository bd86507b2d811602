open Pool_state

let await_of_dla () =
  (* For libraries that block through Domain_local_await. A trigger is a promise, which works from any
     thread, so it does not matter if another thread of this domain gets it too. *)
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

(* A worker that ends leaves its jobs to the injector. *)
let empty_deque (w : Worker.t) =
  let rec move () =
    let task = Deque.pop w.deque ~nil:Job.nil in
    if task != Job.nil then begin
      Worker.leave_to_all w task;
      move ()
    end
  in
  move ()

(* To open a thread's clock takes 5 us, and the callers of a program's pools are mostly one thread. So each
   domain keeps the clock of the thread that was a worker last: one descriptor, however many pools are idle. *)
let kept =
  Domain.DLS.new_key (fun () ->
      let kept = Atomic.make None in
      Domain.at_exit (fun () -> Option.iter (fun (_, clock) -> Thread_clock.close clock) (Atomic.get kept));
      kept)

let this_thread () = Thread.id (Thread.self ())
let exchange_kept new_ = Atomic.exchange (Domain.DLS.get kept) new_

let take_clock () =
  match exchange_kept None with
  | Some (thread, clock) when thread = this_thread () -> clock
  | another's ->
      Option.iter (fun (_, clock) -> Thread_clock.close clock) another's;
      Thread_clock.of_self ()

let keep_clock clock =
  Option.iter (fun (_, clock) -> Thread_clock.close clock) (exchange_kept (Some (this_thread (), clock)))

(* The calling thread is worker [w] during [work ()], or until [gone]. *)
let work_as ?(prepare = ignore) ?(respawned = false) ?(gone = ref false) p (w : Worker.t) work =
  let more () = Worker.is_work p.parts || Timers.is_due p.parts.timers in
  let before = Deque_memory.current () and clock = take_clock () in
  let leave () =
    if not !gone then begin
      if !Trace_hooks.on then Worker.tell_of_itself w !Trace_hooks.listener.left ~retired:false;
      empty_deque w;
      Worker.detach w;
      Deque_memory.set_current before;
      w.clock <- Thread_clock.none;
      keep_clock clock;
      Sleep.leave p.parts.sleepers w.sleeper ~more
    end
  in
  if not respawned then Sleep.join p.parts.sleepers w.sleeper ~more;
  Fun.protect ~finally:leave @@ fun () ->
  prepare ();
  w.thread <- this_thread ();
  w.clock <- clock;
  Worker.attach w;
  if !Trace_hooks.on then Worker.tell_of_itself w !Trace_hooks.listener.joined ~returned:respawned;
  Domain_local_await.using ~prepare_for_await:await_of_dla ~while_running:work

(* --- how long a worker without work waits before it retires --- *)

(* The first task of a domain that is begun anew starts 0.3 ms later. *)
let keep_alive : Idle_period.limits Atomic.t = Atomic.make { Idle_period.least = 0.005; most = 2. }

(* Where work comes again and again after short pauses, as in a program that draws sixty pictures a second,
   and collects, workers wait longer. *)
let most_times = 16.
let soon = 10.

let adapt_keep_alive (w : Worker.t) ~respawned =
  let { Idle_period.least; most } = Atomic.get keep_alive in
  let now = Timer_thread.now () in
  let away = float_of_int (now - w.retired_at) *. 1e-9 in
  let longer = Float.max least (Float.min (most_times *. least) (2. *. w.keep_alive.least)) in
  w.keep_alive <- { least = (if respawned && away < soon *. least then longer else least); most }
