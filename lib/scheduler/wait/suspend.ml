let is_source (j : _ Job.t) = match Job.state j with Pending | Awaited_pending _ -> true | _ -> false

(* The calling fiber goes on, perhaps on another worker, in the context that it had. *)
let arrive (here : Job.spawn_context) loops =
  let deque : Job.task Deque.t = Deque_memory.current () in
  Spawn_context.set_here deque here;
  Loops.set deque loops;
  Fiber.resume_on (Spawn_context.context here) deque

let rec to_scheduler : 'a. (('a, unit) Effect.Deep.continuation -> unit) -> 'a =
 fun wait ->
  Stack_room.(ensure step);
  let here = Spawn_context.here (Deque_memory.current ()) in
  let limits = Limit.of_bindings (Spawn_context.context here).bindings in
  if limits <> [] then perform_in_limits limits wait here else perform_here wait here

and perform_here : 'a. (('a, unit) Effect.Deep.continuation -> unit) -> Job.spawn_context -> 'a =
 fun wait here ->
  let w = Worker.of_deque (Deque_memory.current ()) in
  w.suspensions <- w.suspensions + 1;
  let strand = if !Span_session.profiling then Work_span.pause () else Span_session.none in
  let loops = Loops.here w.deque in
  match Effect.perform (Fiber_stack.Suspend (Some wait)) with
  | v ->
      arrive here loops;
      Work_span.continue strand;
      v
  | exception exn -> (
      let backtrace = Printexc.get_raw_backtrace () in
      arrive here loops;
      Work_span.continue strand;
      match exn with
      | Job.Delivered (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace
      | exn -> Printexc.raise_with_backtrace exn backtrace)

(* A waiting fiber gives back its limit's room. To go on it needs room again, for which it may have to
   wait. *)
and perform_in_limits :
    'a. Limit.t list -> (('a, unit) Effect.Deep.continuation -> unit) -> Job.spawn_context -> 'a =
 fun limits wait here ->
  Limit.leave limits;
  match perform_here wait here with
  | v ->
      enter_again limits here;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      enter_again limits here;
      Printexc.raise_with_backtrace exn backtrace

and enter_again limits here =
  let entered = ref false in
  let wait k =
    let home = (Worker.of_deque (Deque_memory.current ())).parts.home in
    let again = Job.resumption (fun () -> Effect.Deep.continue k ()) in
    let let_go = Suspended_fibers.hold_once home.suspended in
    let call_again () =
      Worker.put_back again home;
      let_go ();
      true
    in
    let refused =
      match limits with
      | [ limit ] ->
          entered := true;
          Option.is_some (Limit.enter_as_heir limit call_again)
      | limits ->
          entered := Limit.enter limits ~again:call_again;
          not !entered
    in
    if refused then Limit.pass_on_wanted (Spawn_context.context here).bindings
    else begin
      let_go ();
      Effect.Deep.continue k ()
    end
  in
  match perform_here wait here with
  | () -> if not !entered then enter_again limits here
  | exception Effect.Unhandled (Fiber_stack.Suspend _) -> Limit.force limits

let perform wait =
  let deque = Deque_memory.current () in
  let loops = Loops.here deque in
  Loops.set deque No_loop;
  (* Where work and span are measured, loops fork each block, and nothing else forks. *)
  if not (Span_session.is_profiled deque) then Loops.promote loops;
  to_scheduler wait

type asked = Nothing | Effect of Job.asking | Left

(* An effect does not pass through C code, such as that of a library that calls OCaml back, so a fiber
   cannot be suspended there. The worker then does other work on top of this stack until the job is settled:
   nothing else keeps a pool of one going. The fiber is listed like a suspended one, so that closing the pool
   waits for it or ends it. [cancel] ends the wait by settling the job; without a [cancel], the wait just
   ends. *)
let[@inline never] work_until_settled ~what ?cancel ?answer j =
  match Worker.current () with
  | None -> invalid_arg "Weft: internal error: a worker was expected to wait"
  | Some w -> (
      let here = Spawn_context.here w.deque and loops = Loops.here w.deque and name = Explored.self () in
      let ended = Atomic.make None and asked = Atomic.make Nothing in
      let unpark () = Parker.unpark w.sleeper.parker in
      let ask a =
        Atomic.compare_and_set asked Nothing (Effect a)
        && begin
             unpark ();
             true
           end
      in
      let waiter = Job.Attendant { told = unpark; ask } in
      let leave exn =
        Atomic.set ended (Some exn);
        unpark ()
      in
      let cancel = Option.value cancel ~default:leave in
      let stack () = if Job.is_settled j then None else Some Suspended_fibers.no_frames in
      let fiber = Owner_id.of_block (Spawn_context.context here).fiber in
      let entry = Suspended_fibers.entry ~source:(is_source j) ~what ~fiber ~stack cancel in
      Suspended_fibers.add w.parts.home.suspended entry;
      let finally () =
        w.nested <- w.nested - 1;
        Suspended_fibers.remove w.parts.home.suspended entry;
        arrive here loops;
        Explored.return_to name;
        if !Trace_hooks.on then Worker.tell_of_return w
      in
      let until () = Job.is_settled j || Atomic.get ended <> None || Atomic.get asked != Nothing in
      let wait () =
        Option.iter cancel (Fiber.begin_wait { context = Spawn_context.context here; cancel });
        let waits = Forward_effects.await ~first:(Option.is_some answer) j waiter in
        Option.iter (fun give -> give ()) answer;
        if waits then
          Trace_hooks.while_waiting ~what ~about:Trace_hooks.nothing (fun () -> Worker_loop.work w ~until) ()
      in
      w.nested <- w.nested + 1;
      Fun.protect ~finally wait;
      (* First off the list of waiters: then nobody asks any more. *)
      if not (Job.is_settled j) then ignore (Job.remove_waiter j waiter : bool);
      ignore (Atomic.compare_and_set asked Nothing Left : bool);
      match (Atomic.get ended, Atomic.get asked) with
      | _ when Job.is_settled j -> Job.get j
      | None, Effect a -> raise_notrace (Job.Asked a)
      | Some exn, Effect a ->
          Forward_effects.ask j a;
          raise exn
      | Some exn, (Nothing | Left) -> raise exn
      | None, (Nothing | Left) -> Job.get j)

(* --- outside --- *)

let block_as ?until ?answer j =
  Stack_room.(ensure deep);
  let parker = Parker.create ~interruptible:true in
  let left () =
    match until with None -> infinity | Some until -> float_of_int (until - Timer_thread.now ()) *. 1e-9
  in
  let waiter = Forward_effects.outsider (fun () -> Parker.unpark parker)
  and place = Outside_waiters.place parker in
  let waits = Forward_effects.await ~first:(Option.is_some answer) j waiter in
  Option.iter (fun give -> give ()) answer;
  if waits then begin
    let rec wait c =
      Signals.poll_queued c place;
      if not (Job.is_settled j || Signals.is_left c) then begin
        Exit_functions.run_if_due ();
        let left = left () in
        if left > 0. then Outside_waiters.park place left;
        if left > 0. then wait c
      end
    in
    let stop () = if not (Job.is_settled j) then ignore (Job.remove_waiter j waiter : bool) in
    let queued c = Outside_waiters.while_queued place (fun () -> wait c) in
    Fun.protect ~finally:stop (fun () -> Signals.enter ~parker ~wake:(fun () -> Parker.unpark parker) queued)
  end

let block ?until j = block_as ?until j
let is_outside () = Deque_memory.current () == Deque_memory.nowhere ()

(* A computation that was captured in a pool may go on outside: then it waits as the threads there do. *)
let[@inline never] block_captured ?answer j =
  block_as ?answer j;
  Job.get j

(* --- joining --- *)

let stop_fork (j : _ Job.t) exn =
  match Job.state j with
  | Running c -> Fiber.stop c exn
  | _ -> ( match Job.parked j with Some (Parked { runner; _ }) -> Fiber.stop runner exn | None -> ())

let wait_for_fork (j : _ Job.t) =
  let context = Context.current () in
  (* Before the job's state says that somebody waits for it. *)
  let runner = match Job.state j with Running c -> c | _ -> Fiber.none in
  let cancel exn = if runner != Fiber.none then Fiber.stop runner exn in
  let wait k =
    Option.iter cancel (Fiber.begin_wait { context; cancel });
    Explored.joins (Job.T j);
    if not (Job.add_waiter j (Joiner k)) then Job.continue_with k j
  in
  match Trace_hooks.while_waiting ~what:"a join" ~about:Trace_hooks.nothing perform wait with
  | v -> v
  | exception Effect.Unhandled (Fiber_stack.Suspend _) -> work_until_settled ~what:"a join" ~cancel j

let rec join_suspended j =
  match if is_outside () then block_captured j else wait_for_fork j with
  | v -> v
  | exception Job.Performed parked ->
      Forward_effects.answer j parked;
      join_suspended j

let join j =
  match join_suspended j with
  | v -> v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      (match Job.state j with Raised _ -> Fiber.fork_joined (Context.current ()) | _ -> ());
      Printexc.raise_with_backtrace exn backtrace

(* --- suspending --- *)

let suspended ~home ~fiber continuation : _ Job.suspended =
  { continuation; claim = Claim.make (); home; fiber; entry = Suspended_fibers.no_entry }

(* [end_with s waiter exn] ends the wait. [answer] answers an effect of [j], once the fiber is among the
   waiters again. *)
let suspend_in_pool ~what ?(about = Trace_hooks.nothing) ?answer ~end_with j =
  let home = (Worker.of_deque (Deque_memory.current ())).parts.home and context = Context.current () in
  let source = is_source j in
  let wait continuation =
    let s = suspended ~home ~fiber:context.fiber continuation in
    Explored.wait_as ~what s.claim;
    let waiter = Job.Fiber s in
    let cancel exn = end_with s waiter exn in
    (* Listed before it can be resumed, so that whoever resumes it finds the entry to remove. *)
    let stack () = Suspended_fibers.stack_of s.claim s.continuation in
    let fiber = Owner_id.of_block context.fiber in
    s.entry <- Suspended_fibers.entry ~source ~what ~about ~fiber ~stack cancel;
    Suspended_fibers.add home.suspended s.entry;
    Option.iter cancel (Fiber.begin_wait { context; cancel });
    let waits = Forward_effects.await ~first:(Option.is_some answer) j waiter in
    Option.iter (fun give -> give ()) answer;
    if not waits then Resume.deliver j [ waiter ]
    else if Claim.is_taken s.claim then
      (* It was cancelled before it was among the waiters. *)
      Job.forget_waiter j waiter
  in
  let v = Trace_hooks.while_waiting ~what ~about perform wait in
  if !Span_session.profiling then Work_span.meet j.run;
  v

let suspend_as ~what ?about ?answer ~end_with j =
  if is_outside () then block_captured ?answer j else suspend_in_pool ~what ?about ?answer ~end_with j

let end_with j (s : _ Job.suspended) waiter exn =
  Resume.end_suspended s exn;
  Job.forget_waiter j waiter

let rec suspend ~what j =
  match suspend_as ~what ~end_with:(end_with j) j with
  | v -> v
  | exception Job.Asked a -> perform_for ~what j a
  | exception Effect.Unhandled (Fiber_stack.Suspend _) -> (
      match work_until_settled ~what j with v -> v | exception Job.Asked a -> perform_for ~what j a)

and perform_for ~what j a =
  let answer = Forward_effects.perform_for a in
  match suspend_again ~what ~answer j with v -> v | exception Job.Asked a -> perform_for ~what j a

and suspend_again ~what ~answer j =
  match suspend_as ~what ~answer ~end_with:(end_with j) j with
  | v -> v
  | exception Effect.Unhandled (Fiber_stack.Suspend _) -> work_until_settled ~what ~answer j

let suspend_until ~what ?about ~cancel j =
  let end_with _ _ exn = cancel exn in
  match suspend_as ~what ?about ~end_with j with
  | v -> v
  | exception Effect.Unhandled (Fiber_stack.Suspend _) -> work_until_settled ~what ~cancel j

(* --- in place --- *)

let[@inline] settle_waiters j outcome =
  match Job.settle j outcome with [] -> () | waiters -> Resume.deliver j waiters

let[@inline never] outcome_of exn : _ Job.state =
  match exn with
  | Run_job.Noted (exn, backtrace) -> (
      match Job.Raised (Job.failure exn backtrace) with
      | outcome -> outcome
      | exception signal -> Job.raised signal)
  | exn -> Job.raised exn

(* [Context.within_stoppable], written out: this is what await costs. *)
let run_in_place (deque : Job.task Deque.t) j ~shield =
  let before : Job.spawn_context = Spawn_context.here deque in
  Spawn_context.set_here deque shield;
  match
    let v = j.Job.run () in
    let outcome = Job.Returned v in
    Spawn_context.set_here (Deque_memory.current ()) before;
    Fiber.return_to (Spawn_context.context before);
    settle_waiters j outcome;
    v
  with
  | v -> v
  | exception exn ->
      if Job.is_settled j then Printexc.raise_with_backtrace exn (Printexc.get_raw_backtrace ())
      else begin
        Spawn_context.set_here (Deque_memory.current ()) before;
        let outcome = outcome_of exn in
        Spawn_context.forget_shield before;
        Fiber.return_to (Spawn_context.context before);
        settle_waiters j outcome;
        Job.get j
      end
