open Effect.Deep
open Worker

(* --- effects of the user --- *)

(* The first context of the fiber: a fork's is a child of the context in which the fork was made, a task's
   has no parent. *)
let rec first_context (c : Fiber.context) =
  if c.outer != Fiber.none && c.outer.fiber == c.fiber then first_context c.outer else c

let no_backtrace = Printexc.get_callstack 0

(* Calls [go_on w context parked] when the fiber is parked. A fiber that is cancelled is continued instead. *)
let park operation continuation runner go_on =
  let w = of_deque (Deque_memory.current ()) in
  let home = w.parts.home and here = Spawn_context.here w.deque in
  let context = Spawn_context.context here in
  match Fiber.look context with
  | exception cancelled -> discontinue continuation cancelled
  | () ->
      let strand = if !Span_session.profiling then Work_span.pause () else Span_session.none in
      let parked = Job.Parked { operation; continuation; runner; here; home; strand } in
      Limit.leave (Limit.of_bindings context.bindings);
      go_on w context parked

(* A fork: its joiner finds the outcome at the join. *)
let leave_to_joiner (Job.T j) operation continuation runner =
  park operation continuation runner @@ fun w _ parked ->
  let outcome : _ Job.state = Raised (Job.failure (Job.Performed parked) no_backtrace) in
  Run_job.go_on (Run_job.deliver_here ~home:w.parts.home j (Job.settle j outcome))

type 'a answer = Answer of 'a | Failure of exn * Printexc.raw_backtrace

(* A parked task takes no room of its limit: it enters again before it goes on. *)
let rec continue_parked : type c.
    (c, unit) continuation -> Job.spawn_context -> Job.home -> Span_session.t -> c answer -> unit =
 fun k here home strand answer ->
  let context = Spawn_context.context here in
  let go_on () =
    let deque : Job.task Deque.t = Deque_memory.current () in
    Spawn_context.set_here deque here;
    Fiber.resume_on context deque;
    Work_span.continue strand;
    match answer with
    | Answer v -> continue k v
    | Failure (exn, backtrace) -> discontinue_with_backtrace k exn backtrace
  in
  match Limit.of_bindings context.bindings with
  | [] -> go_on ()
  | limits ->
      let let_go = Suspended_fibers.hold_once home.suspended in
      let again = Job.resumption (fun () -> continue_parked k here home strand answer) in
      let again () =
        put_back again home;
        let_go ();
        true
      in
      if Limit.enter limits ~again then begin
        let_go ();
        go_on ()
      end

let give (type c) j (Job.Parked p as parked) (k : (c, unit) continuation) (answer : c answer) =
  Job.retake j parked;
  resume (Job.resumption (fun () -> continue_parked k p.here p.home p.strand answer)) p.home

let perform operation =
  match Answer (Effect.perform operation) with
  | answer -> answer
  | exception exn -> Failure (exn, Printexc.get_raw_backtrace ())

let answer j (Job.Parked p as parked) =
  match Fiber.cancellation (Spawn_context.context p.here) with
  | Stopped exn -> give j parked p.continuation (Failure (exn, no_backtrace))
  | Fine | Failing _ -> give j parked p.continuation (perform p.operation)

(* --- effects of tasks --- *)

let forget_note (a : Job.asking) = Option.iter Uncaught.forget (Atomic.get a.noted)

let answer_task (type c) (a : Job.asking) (k : (c, unit) continuation) (answer : c answer) =
  let (Parked p) = a.parked in
  let go_on () =
    resume (Job.resumption (fun () -> continue_parked k p.here p.home p.strand answer)) p.home;
    Suspended_fibers.remove p.home.suspended a.listed;
    forget_note a
  in
  ignore (Claim.take_or_leave a.answered go_on : bool)

let end_asking (a : Job.asking) exn =
  match a.parked with Parked p -> answer_task a p.continuation (Failure (exn, no_backtrace))

let refuse (a : Job.asking) ~why =
  match a.parked with
  | Parked p -> answer_task a p.continuation (Failure (Refusal.unhandled p.operation ~why, no_backtrace))

let perform_for (a : Job.asking) =
  forget_note a;
  match a.parked with
  | Parked p ->
      if Claim.is_taken a.answered then ignore
      else
        let answer = perform p.operation in
        fun () -> answer_task a p.continuation answer

let answer_at_once a = perform_for a ()

let from_outside =
  "no handler inside the pool handles it, and one around Weft.run or around an await outside of all pools \
   does not see it; put the handler inside"

let by_race_or_select =
  "no handler inside the task handles it, and one around Promise.race, Promise.any or Select does not see \
   it; put the handler inside"

let unawaited =
  "no handler inside the task handles it, and nobody awaits the task, or not any more; put the handler \
   inside, or await the task"

let refuse_unawaited (a : Job.asking) = if not (Claim.is_taken a.answered) then refuse a ~why:unawaited

let refusing_waiter ~told ~why =
  let ask a =
    refuse a ~why;
    true
  in
  Job.Attendant { told; ask }

let outsider told = refusing_waiter ~told ~why:from_outside
let refuser ~why = refusing_waiter ~told:ignore ~why

(* Nobody awaits the task. If the program ends before anybody does, it is reported. *)
let note_unawaited (a : Job.asking) =
  match a.parked with
  | Parked p ->
      let exn = Refusal.unhandled p.operation ~why:unawaited in
      if Option.is_none (Atomic.get a.noted) then
        Atomic.set a.noted (Some (Uncaught.add (Task_of p.home.name) exn no_backtrace));
      if Claim.is_taken a.answered then forget_note a

(* If that waiter has given up, the next one is asked. *)
let rec ask j (a : Job.asking) =
  if not (Claim.is_taken a.answered) then
    match Job.ask j a with
    | Some waiter -> tell_of_ask j a waiter
    (* Before those who await [j] are resumed: they cannot answer. *)
    | None when Job.is_settled j -> refuse a ~why:unawaited
    | None -> note_unawaited a

and tell_of_ask j a (waiter : _ Job.waiter) =
  match waiter with
  | Attendant t -> if not (t.ask a) then ask j a
  | Removable _ -> refuse a ~why:by_race_or_select
  | Fiber s ->
      let task = Job.resumption (fun () -> discontinue s.continuation (Job.Asked a)) in
      if not (Resume.resume_suspended task s) then ask j a
  | Joiner _ | Callback _ | Canceller _ | Witness ->
      invalid_arg "Weft: internal error: asked, and does not await"

let await ~first j waiter =
  match Job.add j waiter ~first with
  | Settled -> false
  | Added -> true
  | To_answer a ->
      tell_of_ask j a waiter;
      true

let what_is_asked = "the answer to an effect"

let asking parked : Job.asking =
  let known = Weak.create 1 in
  let stack () =
    match Weak.get known 0 with
    | Some { Job.parked = Parked p; answered; _ } -> Suspended_fibers.stack_of answered p.continuation
    | None -> None
  in
  let cancel _ = Option.iter refuse_unawaited (Weak.get known 0) in
  let listed = Suspended_fibers.entry ~source:false ~what:what_is_asked ~stack cancel in
  let a : Job.asking = { parked; answered = Claim.make (); listed; noted = Atomic.make None } in
  Weak.set known 0 (Some a);
  Gc.finalise refuse_unawaited a;
  a

let ask_awaiter (Job.T j) operation continuation runner =
  park operation continuation runner @@ fun w context parked ->
  let a = asking parked in
  let cancel = end_asking a in
  w.suspensions <- w.suspensions + 1;
  Suspended_fibers.add w.parts.home.suspended a.listed;
  Option.iter cancel (Fiber.begin_wait { context; cancel });
  ask j a

(* [fiber] runs the code, and no other fiber may handle its effects. Code in other fibers may see the binding:
   forks inherit it, and the tasks of a pipeline see all that is bound around it. It says nothing about them:
   their effects are performed by [fiber], when it joins or awaits them. *)
type refusing = { why : string; fiber : Fiber.t }

let refusing_key : refusing option Bindings.key = Bindings.key ~inherited:false ()
let refusing ~why (c : Fiber.context) = Bindings.add refusing_key (Some { why; fiber = c.fiber }) c.bindings

(* Why other fibers may not handle an effect in [c], a context of the fiber that began in [runner]. *)
let rec refusal (c : Fiber.context) ~runner =
  match Bindings.find refusing_key ~default:None c.bindings with
  | Some { why; fiber } when fiber == c.fiber -> Some why
  | _ -> if c == runner then None else refusal c.outer ~runner

let perform_elsewhere task e k =
  let here = Spawn_context.context (Spawn_context.here (Deque_memory.current ())) in
  let runner = first_context here in
  match refusal here ~runner with
  | Some why -> discontinue k (Refusal.unhandled e ~why)
  | None when runner.outer == Fiber.none -> ask_awaiter task e k runner
  | None -> leave_to_joiner task e k runner

let others : Job.task Fiber_stack.others = { perform = perform_elsewhere }
