module Cells = Deque_memory

let nowhere : Job.task Deque.t = Cells.nowhere ()

(* --- slow paths --- *)

(* In ticks: about what it costs to suspend a fiber and to resume it. *)
let soon = 2_000

(* The clock of another processor may be far behind. *)
let rec wait_a_little j ~since =
  let waited = Tsc.now () - since in
  if waited >= 0 && waited < soon && not (Job.is_settled j) then begin
    Domain.cpu_relax ();
    wait_a_little j ~since
  end

(* The job is not at the bottom of this worker's deque. *)
let[@inline never] join_elsewhere j =
  if Run_job.claim j then j.Job.run ()
  else begin
    wait_a_little j ~since:(Tsc.now ());
    Suspend.join j
  end

let join j = if Deque.pop_if (Cells.current ()) (Job.T j) then j.Job.run () else join_elsewhere j
let drop_or_join j = if not (Run_job.claim j) then Suspend.join j

(* The left side has raised: the right side is dropped if it has not started, else stopped and waited
   for. If the left side was stopped because the right one had failed, the right one's exception is the
   one that counts. *)
let[@inline never] left_failed j exn =
  let backtrace = Printexc.get_raw_backtrace () in
  Stack_room.(ensure call);
  if not (Deque.pop_if (Cells.current ()) (Job.T j) || Run_job.claim j) then begin
    Suspend.stop_fork j Fiber.sibling_failed;
    match Suspend.join j with
    | _ -> ()
    | exception other when exn == Fiber.sibling_failed && other != exn ->
        Printexc.raise_with_backtrace other (Printexc.get_raw_backtrace ())
    | exception other -> Uncaught.suppressed other (Printexc.get_raw_backtrace ())
  end;
  Printexc.raise_with_backtrace exn backtrace

(* --- par --- *)

(* [par], for its own slow path. With [let rec], [par] would be a closure with an environment that each
   call passes on. *)
type again = { par : 'a 'b. (unit -> 'a) -> (unit -> 'b) -> 'a * 'b }

let again = ref { par = (fun _ _ -> assert false) }

(* [par] for a deque whose every fork takes the slow path: see Work_span and Explored. *)
let[@inline never] par_held f g =
  let right, mark = Work_span.fork () in
  let deque = Cells.current () in
  let j = Job.fork (Spawn_context.here deque) (Work_span.right right g) in
  Deque.make_room deque;
  Cells.count_fork deque;
  Deque.push deque (Job.T j);
  match
    if Cells.wake deque <> 0 then Worker.wake deque;
    Poll.choose ~what:"Weft.par";
    f ()
  with
  | a ->
      let b =
        match if Deque.pop_if (Cells.current ()) (Job.T j) then j.Job.run () else join_elsewhere j with
        | b -> b
        | exception exn ->
            let backtrace = Printexc.get_raw_backtrace () in
            Work_span.join right mark;
            Printexc.raise_with_backtrace exn backtrace
      in
      Work_span.join right mark;
      (a, b)
  | exception exn -> (
      match left_failed j exn with
      | _ -> assert false
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          Work_span.join right mark;
          Printexc.raise_with_backtrace exn backtrace)

(* [bottom] has reached [limit]: the caller is no worker, the worker is preempted, or the ring is full. *)
let[@inline never] par_slow deque f g =
  if deque == nowhere then Pools.run_default (fun () -> !again.par f g)
  else begin
    if Deque.is_preempt_requested deque then Poll.poll ~may_suspend:(not !Explored.on) ()
    else Deque.make_room deque;
    if !Explored.on || Span_session.is_profiled (Cells.current ()) then par_held f g else !again.par f g
  end

let par f g =
  let deque = Cells.current () in
  (* Allocated before the look at the deque: between the look and the push there must be no safepoint,
     where a signal handler might push. *)
  let j = Job.fork (Spawn_context.here deque) g in
  if Deque.is_full deque then par_slow deque f g
  else begin
    Cells.count_fork deque;
    Deque.push deque (Job.T j);
    match
      if Cells.wake deque <> 0 then Worker.wake deque;
      f ()
    with
    | a ->
        let deque = Cells.current () in
        if Deque.pop_if deque (Job.T j) then
          let b = j.Job.run () in
          (a, b)
        else
          let b = join_elsewhere j in
          (a, b)
    | exception exn -> left_failed j exn
  end

let () = again := { par }

(* --- promises --- *)

let[@inline never] async_slow deque run =
  if deque == nowhere then Pools.async (Pools.default ()) run "Weft.async"
  else begin
    if Deque.is_preempt_requested deque then Poll.poll ~may_suspend:false ();
    let j = Job.task (Spawn_context.here deque) (Work_span.task deque run) in
    Cells.count_fork deque;
    Worker.push (Worker.of_deque deque) (Job.T j);
    j
  end

let async run =
  let deque = Cells.current () in
  let j = Job.task (Spawn_context.here deque) run in
  if Deque.is_full deque then async_slow deque run
  else begin
    Cells.count_fork deque;
    Deque.push deque (Job.T j);
    if Cells.wake deque <> 0 then Worker.wake deque;
    j
  end

let task run =
  let deque = Cells.current () in
  if deque == nowhere then Pools.task (Pools.default ()) run
  else Job.task (Spawn_context.here deque) (Work_span.task deque run)

let start ?(who = "Weft.async") j =
  let deque = Cells.current () in
  if deque == nowhere then Pools.submit (Pools.default ()) j who
  else begin
    if Deque.is_preempt_requested deque then Poll.poll ~may_suspend:false ();
    Cells.count_fork deque;
    Worker.push (Worker.of_deque deque) (Job.T j)
  end

(* A task that was awaited while younger tasks lay below it has left its entry in the deque. Such entries
   are dropped here: else a program that awaits two tasks in the order in which it started them would fill the
   deque with an entry for each task. *)
let rec drop_all_stale deque =
  let (Job.T j as task) = Deque.peek deque ~nil:Job.nil in
  if task != Job.nil && Job.is_stale j && Deque.pop_if deque task then drop_all_stale deque

let[@inline] drop_stale deque =
  let (Job.T j) = Deque.peek deque ~nil:Job.nil in
  if Job.is_stale j then drop_all_stale deque

(* A task that may run only inside a limit is left to workers that enter it. A fiber that may be stopped
   does not take on the work of others. And a task's effects belong to its first awaiter. *)
let await_elsewhere deque (j : _ Job.t) =
  let shield =
    match Job.state j with
    | Awaited_task (_, waiters) when Job.is_awaited waiters -> None
    | Task spawned_in | Awaited_task (spawned_in, _) ->
        let c = Spawn_context.context (Spawn_context.here deque) in
        if Fiber.is_stoppable c || Limit.of_bindings spawned_in.bindings <> [] then None
        else Some (Spawn_context.within (Fiber.in_place c ~bindings:(Bindings.inherited spawned_in.bindings)))
    | _ -> None
  in
  match shield with
  | Some shield when Job.claim j ~running:Job.running ->
      if Deque.pop_if deque (Job.T j) then drop_stale deque;
      Suspend.run_in_place deque j ~shield
  | _ -> Suspend.suspend ~what:"Weft.await" j

let await_here deque j =
  let here = Spawn_context.here deque in
  if not (Job.is_own here j) then await_elsewhere deque j
  else begin
    let shield = Spawn_context.shielded here in
    if Job.claim_own here j then begin
      (* Takes it off the deque if it lies at the bottom. *)
      if Deque.pop_if deque (Job.T j) then drop_stale deque;
      Suspend.run_in_place deque j ~shield
    end
    else Suspend.suspend ~what:"Weft.await" j
  end

(* Loops of async and await are preempted here and nowhere else. Only once: a preempted fiber that is
   marked is preempted again wherever it is resumed, and two that await behind shields would give way to each
   other for ever. *)
let await_unsettled j =
  let deque = Cells.current () in
  if deque == nowhere then Pools.await_outside j
  else begin
    if Deque.is_preempt_requested deque then Poll.poll ~what:"Weft.await" ~may_suspend:true ();
    await_here (Cells.current ()) j
  end

let[@inline never] await_profiled (j : _ Job.t) =
  let outcome () =
    if Job.is_settled j then begin
      Poll.checkpoint ();
      Job.get j
    end
    else await_unsettled j
  in
  match outcome () with
  | v ->
      Work_span.meet j.run;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      (* Even if it was cancelled while it waited. *)
      if Job.is_settled j then Work_span.meet j.run;
      Printexc.raise_with_backtrace exn backtrace

let await (j : _ Job.t) =
  if !Span_session.profiling then await_profiled j
  else
    match Job.state j with
    | Returned v ->
        Poll.checkpoint ();
        v
    | Raised _ ->
        Poll.checkpoint ();
        Job.get j
    | Fork _ | Task _ | Running _ | Resume | Gave_way | Pending | Awaited_task _ | Awaited_running _
    | Awaited_pending _ | Asks _ ->
        await_unsettled j
