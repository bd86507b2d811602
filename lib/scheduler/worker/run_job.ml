open Effect.Deep
open Worker

exception Noted of exn * Printexc.raw_backtrace

(* What a worker does when a fiber has ended: nothing, or it continues at once a fiber that waited for it. *)
type next = Next : ('a, unit) continuation * 'a Job.t -> next | Nothing

(* The first waiter that can be continued here is; the others are queued. *)
let deliver_here : type a. home:Job.home -> a Job.t -> a Job.waiter list -> next =
 fun ~home j waiters ->
  match waiters with
  | [] -> Nothing
  | waiters when !Explored.on ->
      Resume.deliver j waiters;
      Nothing
  | [ Joiner k ] -> Next (k, j)
  | Fiber s :: others when s.home == home ->
      Resume.deliver j others;
      if Claim.take s.claim then begin
        Suspended_fibers.remove s.home.suspended s.entry;
        if !Trace_hooks.on then Resume.tell_of_wake s;
        Next (s.continuation, j)
      end
      else begin
        Resume.deliver j [ Fiber s ];
        Nothing
      end
  | waiters ->
      Resume.deliver j waiters;
      Nothing

(* A job with limits is queued until there is room in all. Returns whether it has entered them and the
   caller has claimed it. *)
let[@inline never] enter_and_claim j ~running limits =
  let home = (of_deque (Deque_memory.current ())).parts.home in
  let let_go = Suspended_fibers.hold_once home.suspended in
  let again () =
    let wanted = not (Job.is_stale j) in
    if wanted then put_back (Job.T j) home;
    let_go ();
    wanted
  in
  match Limit.enter_if limits ~wanted:(fun () -> Job.claim j ~running) ~again with
  | Queued -> false
  | (Entered | Unwanted) as entry ->
      let_go ();
      entry = Entered

let claim j =
  match Limit.of_bindings (Job.spawned_in j).bindings with
  | [] -> Job.claim j ~running:Job.running
  | limits ->
      let mine = Job.claim j ~running:Job.running in
      if mine then List.iter Limit.pass_on limits;
      mine

let[@inline never] identify (fiber : Fiber.t) (spawned_in : Fiber.context) j =
  fiber.id <- Fiber_id.begun ~place:(Closure.place j.Job.run) ~parent:spawned_in.fiber.id;
  !Trace_hooks.listener.fiber_begins fiber.id

let[@inline never] tell_of_join (spawned_in : Fiber.context) waiters =
  match waiters with [ Job.Joiner _ ] -> !Trace_hooks.listener.woke spawned_in.fiber.id | _ -> ()

(* The body of a fiber. *)
let run_job (Job.T j) =
  let spawned_in = Job.spawned_in j in
  let deque = Deque_memory.current () in
  (* A fork's joiner will come and ask for the outcome; a task's may not. *)
  let forked = match Job.state j with Fork _ -> true | _ -> false in
  let context =
    if forked then Fiber.base (Fiber.make deque) ~outer:spawned_in ~bindings:spawned_in.bindings
    else Fiber.base (Fiber.make deque) ~outer:Fiber.none ~bindings:(Bindings.inherited spawned_in.bindings)
  in
  let running : _ Job.state = Running context in
  let limits = Limit.of_bindings spawned_in.bindings in
  if not (match limits with [] -> Job.claim j ~running | limits -> enter_and_claim j ~running limits) then
    Nothing
  else begin
    Spawn_context.set_here deque (Spawn_context.within context);
    if !Trace_hooks.on then identify context.fiber spawned_in j;
    let awaited = ref forked in
    let outcome : _ Job.state =
      match j.run () with
      | v -> Returned v
      | exception Noted (exn, backtrace) ->
          awaited := true;
          Raised (Job.failure exn backtrace)
      | exception exn -> Job.raised exn
    in
    let home = (of_deque (Deque_memory.current ())).parts.home in
    (* Before the job is settled: whoever sees it settled must find the exception watched, the joiner the
       failure that it takes back, and everybody the room in its limits free. *)
    (match outcome with
    | Raised _ when forked -> Fiber.fork_failed spawned_in
    | Raised f when not !awaited -> Job.watch f (Task_of home.name)
    | _ -> ());
    (match limits with [] -> () | limits -> Limit.leave limits);
    let waiters = Job.settle j outcome in
    if !Trace_hooks.on then tell_of_join spawned_in waiters;
    deliver_here ~home j waiters
  end

let go_on = function Nothing -> () | Next (k, j) -> Job.continue_with k j
