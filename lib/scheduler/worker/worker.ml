open Effect.Deep

type t = {
  index : int;
  deque : Job.task Deque.t;
  parts : parts;
  sleeper : Sleep.sleeper;
  mutable thread : int;
  mutable clock : Thread_clock.t;
  mutable gone_at : int;
  mutable came_at : int;
  mutable patience : float;
  mutable random : int;
  mutable attending : bool;
  mutable settled : bool;
  mutable rounds : int;
  mutable slept_at : int;
  mutable eldest : int;
  mutable eldest_since : int;
  mutable handed_at : int;
  started : Job.task Weak.t;
  mutable started_at : int;
  pace : Steal_backoff.t;
  mutable holds_back : bool;
  mutable tick : int;
  mutable origin : int;
  mutable jobs : int;
  mutable steals : int;
  mutable vain_rounds : int;
  mutable suspensions : int;
}

and parts = {
  mutable workers : t array;
  mutable extras : t array;
  injector : Job.task Injector.t;
  background : Job.task Injector.t;
  sleepers : Sleep.t;
  alarm : Timer_thread.t;
  timers : Timers.t;
  home : Job.home;
  mutable idle : unit -> unit;
  mutable look : unit -> unit;
  mutable settle : t -> unit;
}

type retire = { after : float; leave : unit -> Sleep.leave }

exception Noted of exn * Printexc.raw_backtrace

(* --- the table of all workers, by the number stored in their deques --- *)

let table : t option array ref = ref (Array.make 64 None)
let table_lock = Mutex.create ()

(* Ten or twenty microseconds on an idle pool. Who has searched in vain looks for half as long the next time, until a search
   finds something, or a sleep was so short that a search would have spared it: where jobs come one by one, with pauses,
   searching would cost more than they do. *)
let search_rounds = 100
let fewest_rounds = min 8 search_rounds
let short_sleep = 50_000

let make parts ~index ~wake =
  Mutex.protect table_lock @@ fun () ->
  let rec free i = if i = Array.length !table || !table.(i) = None then i else free (i + 1) in
  let id = free 0 in
  if id = Array.length !table then table := Array.append !table (Array.make id None);
  let w =
    Multicore_magic.copy_as_padded
      {
        index;
        deque = Deque.create ~id ~wake;
        parts;
        sleeper = Sleep.sleeper ~interruptible:(index = 0);
        thread = -1;
        clock = Thread_clock.none;
        gone_at = 0;
        came_at = 0;
        patience = 0.;
        random = (id + 1) * 0x9E3779B97F4A7C1 land max_int;
        attending = false;
        settled = true;
        rounds = search_rounds;
        slept_at = 0;
        eldest = -1;
        eldest_since = 0;
        handed_at = 0;
        started = Weak.create 1;
        started_at = 0;
        pace = Steal_backoff.make ();
        holds_back = false;
        tick = 0;
        origin = Trace_hooks.own;
        jobs = 0;
        steals = 0;
        vain_rounds = 0;
        suspensions = 0;
      }
  in
  Timer_thread.watch parts.alarm ~deque:w.deque ~parker:w.sleeper.parker;
  !table.(id) <- Some w;
  w

let release w =
  Thread_clock.close w.clock;
  Mutex.protect table_lock @@ fun () ->
  !table.(Deque_memory.id w.deque) <- None;
  Deque_memory.free w.deque

(* Without the lock: a thread asks only for workers that stay while it asks, and an old table still holds those. *)
let of_deque deque =
  match !table.(Deque_memory.id deque) with
  | Some w -> w
  | None -> invalid_arg "Weft: internal error: a deque without a worker"

let current () =
  let deque = Deque_memory.current () in
  if deque == Deque_memory.nowhere () then None else Some (of_deque deque)

let attach w =
  Deque_memory.adopt w.deque;
  Job.set_here w.deque Job.nobody;
  Deque_memory.set_current w.deque

let detach w =
  Deque_memory.set_current (Deque_memory.nowhere ());
  Deque_memory.abandon w.deque

(* --- queues --- *)

let is_work parts =
  (not (Injector.is_empty parts.injector))
  || (not (Injector.is_empty parts.background))
  || Array.exists (fun w -> Deque.size w.deque > 0) parts.workers
  || Array.exists (fun w -> Deque.size w.deque > 0) parts.extras

let is_idle parts = Sleep.all_listed parts.sleepers ~and_:(fun () -> not (is_work parts))

(* If all are busy, it may be for long: then one of them shall give way after this time, see Waiting. *)
let hurry_after = 1_000_000

let hurry parts =
  if Sleep.nobody_comes parts.sleepers && not (Injector.is_empty parts.injector) then
    Timer_thread.set parts.alarm (Timer_thread.now () + hurry_after)

let[@inline never] wake deque =
  let w = of_deque deque in
  let before = w.sleeper.wakes in
  Sleep.wake_one w.parts.sleepers (fun () -> w.sleeper.wakes <- w.sleeper.wakes + 1);
  if !Trace_hooks.on && w.sleeper.wakes <> before then !Trace_hooks.listener.wakes ()

let push_only w task =
  if Deque.is_full w.deque then Deque.make_room w.deque;
  Deque.push w.deque task

let push w task =
  push_only w task;
  if Deque_memory.wake w.deque <> 0 then wake w.deque

(* Queueing and waking apart: if a signal's exception ends the waking, that alone is done again. *)
let is_here (home : Job.home) =
  let deque = Deque_memory.current () in
  deque != Deque_memory.nowhere () && (of_deque deque).parts.home == home

let queue_only task (home : Job.home) =
  if is_here home then begin
    let w = of_deque (Deque_memory.current ()) in
    if w.attending then home.queue task else push_only w task
  end
  else home.queue task

let wake_up (home : Job.home) =
  if is_here home then begin
    let deque = Deque_memory.current () in
    if Deque_memory.wake deque <> 0 then wake deque
  end
  else home.wake ()

let queue_once task home queued =
  if not !queued then begin
    queue_only task home;
    queued := true
  end;
  wake_up home

(* What follows is made in two parts: a step is prepared, which only allocates, and then taken to its end. If a signal's exception comes
   while it is prepared, nothing has happened yet, and it is prepared again. *)

let queueing task home =
  let queued = ref false in
  fun () -> queue_once task home queued

let rec resume task home =
  match queueing task home with
  | step -> Interrupt.complete step
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      resume task home;
      Printexc.raise_with_backtrace exn backtrace

(* A fiber goes from a list of waiters to a queue, if nobody else takes it there. [task] continues it. *)
let resuming_if mine task (s : _ Job.suspended) =
  let queued = ref false in
  fun () ->
    if not !mine then mine := not (Atomic.exchange s.claimed true);
    if !mine then begin
      queue_once task s.home queued;
      Suspended_fibers.remove s.home.suspended s.entry
    end

let resuming task s = resuming_if (ref false) task s

let rec end_suspended (s : _ Job.suspended) exn =
  match resuming (Job.bare (fun () -> discontinue s.continuation exn)) s with
  | step -> Interrupt.complete step
  | exception signal ->
      let backtrace = Printexc.get_raw_backtrace () in
      end_suspended s exn;
      Printexc.raise_with_backtrace signal backtrace

let telling j (waiter : _ Job.waiter) =
  match waiter with
  | Callback f | Attendant { told = f; _ } -> f
  | Guest g -> fun () -> Job.tell j g
  | Witness -> fun () -> Job.witness j
  | Fiber s -> resuming (Job.bare (fun () -> Job.continue_with s.continuation j)) s
  | Joiner k ->
      let deque = Deque_memory.current () in
      if deque == Deque_memory.nowhere () then
        invalid_arg "Weft: internal error: a fork that ended outside its pool";
      queueing (Job.bare (fun () -> Job.continue_with k j)) (of_deque deque).parts.home

let rec tell_all left =
  match !left with
  | [] -> ()
  | step :: others ->
      step ();
      left := others;
      tell_all left

(* Eldest first. *)
let telling_all j waiters =
  match waiters with
  | [ waiter ] -> telling j waiter
  | waiters ->
      let left = ref (List.rev_map (telling j) waiters) in
      fun () -> tell_all left

let rec deliver_one j waiter =
  match telling j waiter with
  | step -> Interrupt.complete step
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      deliver_one j waiter;
      Printexc.raise_with_backtrace exn backtrace

let rec deliver j waiters =
  match waiters with
  | [] -> ()
  | waiters -> (
      match telling_all j waiters with
      | step -> Interrupt.complete step
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          deliver j waiters;
          Printexc.raise_with_backtrace exn backtrace)

(* --- running a job --- *)

let put_back task (home : Job.home) =
  home.queue task;
  home.wake ()

(* What a worker does when a fiber has ended: nothing, or continue, on the spot, a fiber that waited for it. *)
type next = Next : ('a, unit) continuation * 'a Job.t -> next | Nothing

(* A waiter that can go on here does so; the others are queued. *)
let deliver_here : type a. home:Job.home -> a Job.t -> a Job.waiter list -> next =
 fun ~home j waiters ->
  match waiters with
  | [] -> Nothing
  | [ Joiner k ] -> (
      match Next (k, j) with
      | next -> next
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          deliver j waiters;
          Printexc.raise_with_backtrace exn backtrace)
  | (Fiber s as first) :: others when s.home == home -> (
      match
        let next = Next (s.continuation, j) in
        Suspended_fibers.remove s.home.suspended s.entry;
        next
      with
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          deliver j waiters;
          Printexc.raise_with_backtrace exn backtrace
      | next -> (
          match deliver j others with
          | () -> if Atomic.exchange s.claimed true then Nothing else next
          | exception exn ->
              let backtrace = Printexc.get_raw_backtrace () in
              deliver_one j first;
              Printexc.raise_with_backtrace exn backtrace))
  | waiters ->
      deliver j waiters;
      Nothing

(* The body of a fiber. Claimed inside it, so that a signal's exception either comes before, and the job stays in the hands of
   the loop, or is the job's own. *)
let run_entered (Job.T j) (maker : Fiber.context) =
  let deque = Deque_memory.current () in
  (* The joiner of a fork will come and ask; of a task, nobody may. *)
  let forked = match Job.state j with Fork _ -> true | _ -> false in
  let context =
    let outer = if forked then maker else Fiber.none in
    Fiber.base (Fiber.make deque) ~outer ~bindings:maker.bindings
  in
  let here = Job.within context and taken : _ Job.state = Taken context in
  let claimed = ref false and awaited = ref forked in
  let outcome : _ Job.state =
    match
      claimed := Job.claim j ~taken;
      if !claimed then begin
        Job.set_here deque here;
        Job.Returned (j.run ())
      end
      else Job.taken
    with
    | outcome -> outcome
    | exception Noted (exn, backtrace) when !claimed -> (
        awaited := true;
        match Job.Raised (Job.failure exn backtrace) with
        | outcome -> outcome
        | exception signal -> Job.raised signal)
    | exception exn when !claimed -> Job.raised exn
  in
  if not !claimed then Nothing
  else begin
    let w = of_deque (Deque_memory.current ()) in
    let home = w.parts.home in
    (* Before it is settled: whoever observes it from then on must find it watched, and the joiner the failure that it takes
       back. *)
    match
      match outcome with
      | Raised _ when forked -> Fiber.fork_failed maker
      | Raised f when not !awaited -> Job.watch f ~pool:home.name
      | _ -> ()
    with
    | () -> deliver_here ~home j (Job.settle j outcome)
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        deliver j (Job.settle j outcome);
        Printexc.raise_with_backtrace exn backtrace
  end

let[@inline never] run_in_arenas (Job.T j as task) (maker : Fiber.context) arenas =
  let home = (of_deque (Deque_memory.current ())).parts.home in
  let let_go = Suspended_fibers.hold_once home.suspended in
  let again () =
    let wanted = not (Job.is_stale j) in
    if wanted then put_back task home;
    let_go ();
    wanted
  in
  let entered =
    try Limit.enter arenas ~again
    with exn ->
      let_go ();
      raise exn
  in
  if not entered then Nothing
  else begin
    let_go ();
    match run_entered task maker with
    | next ->
        Limit.leave arenas;
        next
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        Limit.leave arenas;
        Printexc.raise_with_backtrace exn backtrace
  end

let run_job (Job.T j as task) =
  let maker = Job.maker j in
  match Limit.of_bindings maker.bindings with
  | [] -> run_entered task maker
  | arenas -> run_in_arenas task maker arenas

let go_on = function Nothing -> () | Next (k, j) -> Job.continue_with k j

(* --- effects of the user --- *)

(* The first context of the fiber: that of a fork lies in front of the context it was made in, that of a task in front of none. *)
let rec first_context (c : Fiber.context) =
  if c.outer != Fiber.none && c.outer.fiber == c.fiber then first_context c.outer else c

let no_backtrace = Printexc.get_callstack 0

(* On the worker's stack, with a fiber that nobody else knows of: a signal's exception must end the fiber, not lose it. *)
let park (type c) (Job.T j) (operation : c Effect.t) (continuation : (c, unit) continuation) runner =
  let w = of_deque (Deque_memory.current ()) in
  let home = w.parts.home and here = Job.here w.deque in
  let context = Job.context here in
  match
    Fiber.look context;
    let strand = if !Work_span.profiling then Work_span.pause () else Work_span.none in
    let parked = Job.Parked { operation; continuation; runner; here; home; strand } in
    let outcome : _ Job.state = Raised (Job.failure (Job.Performed parked) no_backtrace) in
    Limit.leave (Limit.of_bindings context.bindings);
    outcome
  with
  | outcome -> go_on (deliver_here ~home j (Job.settle j outcome))
  | exception exn -> discontinue continuation exn

type 'a answer = Answer of 'a | Failure of exn * Printexc.raw_backtrace

(* Whoever is parked holds no room; like one who begins, it enters before it goes on. *)
let rec unpark : type c.
    (c, unit) continuation -> Job.spawn_context -> Job.home -> Work_span.t -> c answer -> unit =
 fun k here home strand answer ->
  let context = Job.context here in
  let go_on () =
    let deque : Job.task Deque.t = Deque_memory.current () in
    Job.set_here deque here;
    Fiber.resume_on context deque;
    Work_span.continue strand;
    match answer with
    | Answer v -> continue k v
    | Failure (exn, backtrace) -> discontinue_with_backtrace k exn backtrace
  in
  match Limit.of_bindings context.bindings with
  | [] -> go_on ()
  | arenas ->
      let let_go = Suspended_fibers.hold_once home.suspended in
      let again = Job.bare (fun () -> unpark k here home strand answer) in
      let again () =
        put_back again home;
        let_go ();
        true
      in
      if Limit.enter arenas ~again then begin
        let_go ();
        go_on ()
      end

let rec give : type a c. a Job.t -> Job.parked -> (c, unit) continuation -> c answer -> unit =
 fun j (Parked p as parked) k answer ->
  match Job.bare (fun () -> unpark k p.here p.home p.strand answer) with
  | task ->
      Job.retake j parked;
      resume task p.home
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      give j parked k answer;
      Printexc.raise_with_backtrace exn backtrace

let fail_parked j (Job.Parked p as parked) exn backtrace =
  give j parked p.continuation (Failure (exn, backtrace))

let perform operation =
  match Answer (Effect.perform operation) with
  | answer -> answer
  | exception exn -> Failure (exn, Printexc.get_raw_backtrace ())

let answer j (Job.Parked p as parked) =
  match Fiber.cancellation (Job.context p.here) with
  | Stopped exn -> fail_parked j parked exn no_backtrace
  | Fine | Failing _ -> give j parked p.continuation (perform p.operation)

(* --- effects of tasks --- *)

let forget_note (a : Job.asking) = Option.iter Uncaught.forget (Atomic.get a.noted)

(* Like [resuming]. *)
let answering (type c) (a : Job.asking) (Job.Parked p) (k : (c, unit) continuation) (answer : c answer) =
  let task = Job.bare (fun () -> unpark k p.here p.home p.strand answer) in
  let mine = ref false and queued = ref false in
  fun () ->
    if not !mine then mine := not (Atomic.exchange a.answered true);
    if !mine then begin
      queue_once task p.home queued;
      Suspended_fibers.remove p.home.suspended a.listed;
      forget_note a
    end

let rec answer_task : type c. Job.asking -> (c, unit) continuation -> c answer -> unit =
 fun a k answer ->
  match answering a a.parked k answer with
  | step -> Interrupt.complete step
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      answer_task a k answer;
      Printexc.raise_with_backtrace exn backtrace

let end_asking (a : Job.asking) exn =
  match a.parked with Parked p -> answer_task a p.continuation (Failure (exn, no_backtrace))

let refuse (a : Job.asking) ~why =
  match a.parked with
  | Parked p -> answer_task a p.continuation (Failure (Refusal.unhandled p.operation ~why, no_backtrace))

let perform_for (a : Job.asking) =
  forget_note a;
  match a.parked with
  | Parked p ->
      if Atomic.get a.answered then ignore
      else
        let answer = perform p.operation in
        fun () -> answer_task a p.continuation answer

let answer_at_once a =
  match perform_for a with
  | give -> give ()
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      end_asking a exn;
      Printexc.raise_with_backtrace exn backtrace

let from_outside =
  "no handler inside the pool handles it, and one around Weft.run or around an await outside of all pools is \
   not asked"

let by_a_guest =
  "no handler inside the task handles it, and one around Promise.race, Promise.any or Select is not asked"

let unawaited = "no handler inside the task handles it, and nobody awaits the task, or not any more"
let refuse_unawaited (a : Job.asking) = if not (Atomic.get a.answered) then refuse a ~why:unawaited

let refusing ~told ~why =
  let ask a =
    refuse a ~why;
    true
  in
  Job.Attendant { told; ask }

let outsider told = refusing ~told ~why:from_outside
let refuser ~why = refusing ~told:ignore ~why

(* Nobody awaits the task. Should the program end before anybody does, that is told. *)
let note_unawaited (a : Job.asking) =
  match a.parked with
  | Parked p ->
      let exn = Refusal.unhandled p.operation ~why:unawaited in
      if Option.is_none (Atomic.get a.noted) then
        Atomic.set a.noted (Some (Uncaught.add ~pool:p.home.name exn no_backtrace));
      if Atomic.get a.answered then forget_note a

let telling_of_ask (s : _ Job.suspended) a =
  let mine = ref false in
  (mine, resuming_if mine (Job.bare (fun () -> discontinue s.continuation (Job.Asked a))) s)

(* If one is not there any more, the next. *)
let rec ask j (a : Job.asking) =
  if not (Atomic.get a.answered) then
    match Job.ask j a with None -> note_unawaited a | Some waiter -> tell_of_ask j a waiter

and tell_of_ask j a (waiter : _ Job.waiter) =
  match waiter with
  | Attendant t -> if not (t.ask a) then ask j a
  | Guest _ -> refuse a ~why:by_a_guest
  | Fiber s -> (
      match telling_of_ask s a with
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          tell_of_ask j a waiter;
          Printexc.raise_with_backtrace exn backtrace
      | mine, step -> (
          match Interrupt.complete step with
          | () -> if not !mine then ask j a
          | exception exn ->
              let backtrace = Printexc.get_raw_backtrace () in
              if not !mine then ask j a;
              Printexc.raise_with_backtrace exn backtrace))
  | Joiner _ | Callback _ | Witness -> invalid_arg "Weft: internal error: asked, and does not await"

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
    | Some { Job.parked = Parked p; answered; _ } when not (Atomic.get answered) ->
        Some (try get_callstack p.continuation 64 with _ -> no_backtrace)
    | _ -> None
  in
  let cancel _ = Option.iter refuse_unawaited (Weak.get known 0) in
  let listed = Suspended_fibers.entry ~source:false ~what:what_is_asked ~stack cancel in
  let a : Job.asking = { parked; answered = Atomic.make false; listed; noted = Atomic.make None } in
  Weak.set known 0 (Some a);
  Gc.finalise refuse_unawaited a;
  a

(* On the worker's stack, like [park]. *)
let ask_awaiter (type c) (Job.T j) (operation : c Effect.t) (continuation : (c, unit) continuation) runner =
  let w = of_deque (Deque_memory.current ()) in
  let home = w.parts.home and here = Job.here w.deque in
  let context = Job.context here in
  match
    Fiber.look context;
    let strand = if !Work_span.profiling then Work_span.pause () else Work_span.none in
    let a = asking (Job.Parked { operation; continuation; runner; here; home; strand }) in
    Limit.leave (Limit.of_bindings context.bindings);
    a
  with
  | exception exn -> discontinue continuation exn
  | a -> (
      let cancel = end_asking a in
      match
        w.suspensions <- w.suspensions + 1;
        Suspended_fibers.add home.suspended a.listed;
        Option.iter cancel (Fiber.begin_wait { context; cancel });
        ask j a
      with
      | () -> ()
      | exception exn -> cancel exn)

let perform_elsewhere task e k =
  let runner = first_context (Job.context (Job.here (Deque_memory.current ()))) in
  if runner.outer == Fiber.none then ask_awaiter task e k runner else park task e k runner

let others : Job.task Fiber_stack.others = { perform = perform_elsewhere }

(* --- telling --- *)

let number w = Deque_memory.id w.deque

let tell_of_itself w told =
  told ~worker:(number w) ~index:w.index ~pool:w.parts.home.name ~forks:(Deque_memory.forks w.deque)

let[@inline never] tell_again w = tell_of_itself w !Trace_hooks.listener.seen

(* Whoever traces a program that has run for long wants to know who is who. *)
let jobs_between = 256
let sleeps_between = 16

(* A signal's exception must not lose the task. *)
let[@inline never] tell_of_job w task ~resumed =
  try
    if w.jobs mod jobs_between = 0 then tell_again w;
    !Trace_hooks.listener.runs ~worker:(number w) ~from:w.origin ~resumed
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    resume task w.parts.home;
    Printexc.raise_with_backtrace exn backtrace

let tell_of_return w = !Trace_hooks.listener.runs ~worker:(number w) ~from:Trace_hooks.own ~resumed:true

let execute w (Job.T j as task) =
  w.jobs <- w.jobs + 1;
  (match Job.state j with
  | Resume ->
      if !Trace_hooks.on then tell_of_job w task ~resumed:true;
      if Job.claim_bare j then ignore (j.run ())
  | Taken _ | Awaited _ | Asks _ | Returned _ | Raised _ -> (* claimed by its awaiter: a stale entry *) ()
  | Fork _ | Task _ | Wanted _ | Pending | Expected _ -> (
      if !Trace_hooks.on then tell_of_job w task ~resumed:false;
      try Fiber_stack.start run_job task ~returned:go_on ~others
      with exn ->
        (* A signal's, outside all jobs. If it came before this one began, the job goes back. *)
        let backtrace = Printexc.get_raw_backtrace () in
        (match Job.state j with Fork _ | Task _ | Wanted _ -> resume task w.parts.home | _ -> ());
        Printexc.raise_with_backtrace exn backtrace));
  (* No fiber runs here until the next one begins or arrives. *)
  Loops.set w.deque No_loop;
  Job.set_here w.deque Job.nobody

(* --- looking for a job --- *)

let from_background w =
  w.origin <- Trace_hooks.background;
  Injector.pop w.parts.background ~nil:Job.nil

let from_injector w =
  w.origin <- Trace_hooks.injector;
  Injector.pop w.parts.injector ~nil:Job.nil

let look_at_injector w = w.tick <- w.tick lor 63

(* So that the next tick is 16 modulo 256: onwards, never back. *)
let look_at_background w = w.tick <- (w.tick lor 255) + 16

(* So that the next tick is 32 modulo 64. *)
let look_at_eldest w = w.tick <- w.tick land lnot 63 lor 31
let hold_back w = w.holds_back <- true

(* --- handing over what is ready --- *)

(* Nanoseconds. *)
let hand_over_after = 2_000_000
let start_next_after = 20_000_000

(* A long deque is not looked at all the time: so many times as long as it took, nothing is done. *)
let pause_per_cost = 20

(* Jobs. *)
let long = 1_000
let most_stale = 64
let most_eldest = 64

let may_start w ~now =
  now - w.started_at > start_next_after
  || match Weak.get w.started 0 with None -> true | Some (Job.T j) -> Job.is_settled j

(* Where a job that has left the deque goes. *)
let place w ~now (Job.T j as task) =
  if Job.is_bare j then Injector.push w.parts.injector task
  else if Job.is_unstarted_task j && may_start w ~now then begin
    Weak.set w.started 0 (Some task);
    w.started_at <- now;
    Injector.push w.parts.injector task
  end
  else if not (Job.is_stale j) then push_only w task

(* All leave the deque, and those that stay come back, in their order. A signal's exception in between leaves [kept] to the next
   call; one job may then be in two places, where its first claimer has it. *)
let sort_out w ~now =
  let task = ref Job.nil and kept = ref [] and out = ref false in
  let rec take_out () =
    if !task == Job.nil then task := Deque.pop w.deque ~nil:Job.nil;
    if !task != Job.nil then begin
      let now = !task :: !kept in
      kept := now;
      task := Job.nil;
      take_out ()
    end
  in
  let rec put_back () =
    match !kept with
    | [] -> ()
    | task :: rest ->
        place w ~now task;
        kept := rest;
        put_back ()
  in
  let was_eldest = w.eldest = Deque_memory.top w.deque in
  Interrupt.complete (fun () ->
      if not !out then take_out ();
      out := true;
      put_back ());
  (* Its number is another one now. *)
  if was_eldest then w.eldest <- Deque_memory.top w.deque

let is_wanted w ~now =
  let stale = ref 0 in
  let may_start = may_start w ~now in
  fun (Job.T j) ->
    Job.is_bare j
    || (may_start && Job.is_unstarted_task j)
    || Job.is_stale j
       && begin
            incr stale;
            !stale > most_stale
          end

(* As long as the eldest is none that stays. *)
let rec hand_over_eldest w ~now left =
  let wanted = is_wanted w ~now and eldest = ref None in
  ignore
    (Deque.exists w.deque (fun (Job.T j as task) ->
         eldest := Some (Job.is_stale j || wanted task);
         true));
  if left > 0 && !eldest = Some true then begin
    let task = ref Job.nil and taken = ref false in
    Interrupt.complete (fun () ->
        if not !taken then begin
          task := Deque.take_eldest w.deque ~nil:Job.nil;
          taken := true
        end;
        if !task != Job.nil then place w ~now !task;
        task := Job.nil);
    hand_over_eldest w ~now (left - 1)
  end

let hand_over w =
  (not (Deque.is_empty w.deque))
  &&
  let now = Timer_thread.now () in
  now - w.handed_at > hand_over_after
  && begin
       if Deque.size w.deque > long then hand_over_eldest w ~now most_eldest;
       if Deque.exists w.deque (is_wanted w ~now) then sort_out w ~now;
       let after = Timer_thread.now () in
       w.handed_at <- after + (pause_per_cost * (after - now));
       let is_something = not (Injector.is_empty w.parts.injector) in
       if is_something then wake_up w.parts.home;
       is_something
     end

(* Before this worker sleeps although it has jobs, because there is no room for it: the others may never steal them, if they always
   find jobs of their own, but all look into the injector now and then. The eldest first, as thieves would take them. The pool is
   not idle while a job is in neither queue; who fell asleep then is woken. *)
let hand_over_all w =
  let task = ref Job.nil in
  let rec take_out () =
    if !task == Job.nil then task := Deque.take_eldest w.deque ~nil:Job.nil;
    if !task != Job.nil then begin
      Injector.push w.parts.injector !task;
      task := Job.nil
    end;
    if not (Deque.is_empty w.deque) then take_out ()
  in
  if not (Deque.is_empty w.deque) then begin
    Sleep.while_attending w.parts.sleepers (fun () -> Interrupt.complete take_out);
    Sleep.wake_one w.parts.sleepers ignore;
    hurry w.parts
  end

let own_job w =
  w.tick <- w.tick + 1;
  let first =
    match w.tick land 63 with
    | 0 -> from_injector w
    | 16 when w.tick land 255 = 16 -> from_background w
    | 32 ->
        w.origin <- Trace_hooks.own;
        Deque.take_eldest w.deque ~nil:Job.nil
    | _ -> Job.nil
  in
  if first != Job.nil then first
  else
    let task = Deque.pop w.deque ~nil:Job.nil in
    w.origin <- Trace_hooks.own;
    if task != Job.nil then task else from_injector w

(* xorshift64 (Marsaglia 2003), on OCaml's 63 bits. *)
let random w =
  let x = w.random in
  let x = x lxor (x lsl 13) in
  let x = x lxor (x lsr 7) in
  let x = x lxor (x lsl 17) in
  w.random <- x;
  x land max_int

let rec steal_from w workers i left =
  if left = 0 then Job.nil
  else
    let victim = Array.unsafe_get workers i in
    let task = if victim == w then Job.nil else Deque.steal victim.deque ~nil:Job.nil in
    if task != Job.nil then begin
      w.steals <- w.steals + 1;
      w.origin <- number victim;
      task
    end
    else steal_from w workers (if i + 1 = Array.length workers then 0 else i + 1) (left - 1)

let steal w =
  let workers = w.parts.workers and extras = w.parts.extras in
  let n = Array.length workers in
  let task = steal_from w workers (random w mod n) n in
  let task = if task == Job.nil then steal_from w extras 0 (Array.length extras) else task in
  if task == Job.nil then w.vain_rounds <- w.vain_rounds + 1;
  task

(* What others have, before what it has itself: it has got others enough to do. Where only one other is at work, that one runs the
   batch, and at the top of its deque lies what was there before: to steal it would bring one more call each time, for a heavy
   barrier. So the two work side by side, one at the batch and one on the next; and a short wait keeps the line from growing. *)
let rec help w rounds =
  let task = from_injector w in
  let task = if task == Job.nil && Sleep.active w.parts.sleepers > 2 then steal w else task in
  if task != Job.nil || rounds = 0 then task
  else begin
    Domain.cpu_relax ();
    help w (rounds - 1)
  end

let own w =
  let task =
    if w.holds_back then begin
      w.holds_back <- false;
      help w search_rounds
    end
    else Job.nil
  in
  if task != Job.nil then task else own_job w

let steal_timed w =
  let began = Tsc.now () in
  let task = steal w in
  if task != Job.nil then Steal_backoff.stolen w.pace ~began ~now:(Tsc.now ());
  task

(* The own deque first: what a signal handler has resumed on this thread must not wait there behind stolen work. *)
let rec spin w rounds =
  let task = own w in
  if task != Job.nil then task
  else
    let pauses = Steal_backoff.pauses w.pace ~now:Tsc.now in
    let task = if pauses then Job.nil else steal_timed w in
    (* Last of all. *)
    let task = if task != Job.nil then task else from_background w in
    if task != Job.nil || (rounds = 0 && not pauses) then task
    else begin
      Domain.cpu_relax ();
      spin w (if pauses then rounds else rounds - 1)
    end

let search w =
  let s = w.sleeper in
  if !Trace_hooks.on then !Trace_hooks.listener.searches ~worker:(number w);
  s.searches <- s.searches + 1;
  let task = spin w (if s.woken then search_rounds else w.rounds) in
  if task == Job.nil then w.rounds <- max fewest_rounds (w.rounds / 2)
  else if (not s.woken) || Timer_thread.now () - w.slept_at < short_sleep then w.rounds <- search_rounds;
  if s.woken then begin
    s.woken <- false;
    if task == Job.nil then s.idle_wakes <- s.idle_wakes + 1
  end;
  task

(* What a respawned domain may do after the first job that ends a while after its start, since a burst of small jobs is over before;
   and the thread in the seat, when it has worked for some milliseconds. *)
let a_while = 1_000_000

let[@inline never] settle w =
  w.settled <- true;
  w.parts.settle w

let[@inline] settle_soon w =
  if (not w.settled) && w.index > 0 && Timer_thread.now () - w.came_at > a_while then settle w

(* What timers resume goes to the injector, for whoever is free first. *)
let attend w =
  w.attending <- true;
  (match Timers.run_due w.parts.timers with
  | () -> w.attending <- false
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      w.attending <- false;
      Interrupt.complete w.parts.look;
      Printexc.raise_with_backtrace exn backtrace);
  w.parts.look ()

(* If there is more than this worker can take, and all others compute for long, one of them shall give way soon. *)
let run_timers w =
  attend w;
  if not (Injector.is_empty w.parts.injector) then begin
    look_at_injector w;
    Timer_thread.set w.parts.alarm (Timer_thread.now () + 1_000_000)
  end

(* A signal's exception that comes here must not lose the task. *)
let found w task =
  try
    Sleep.stop_search w.parts.sleepers w.sleeper ~more:(fun () -> is_work w.parts);
    hurry w.parts
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    resume task w.parts.home;
    Printexc.raise_with_backtrace exn backtrace

(* In a fiber: handlers may wait. *)
let queue_handlers parts =
  Signals.is_pending parts.home
  && begin
       parts.home.queue (Job.T (Job.task Job.nobody (fun () -> Signals.poll_for parts.home)));
       true
     end

(* Who was called between two jobs: the call is left to the next fiber, for which it may be meant. *)
let[@inline never] turn_to_injector w =
  let is_signal = queue_handlers w.parts in
  if hand_over w || is_signal then look_at_injector w

type after_wait = Retired | Go_on

(* Seconds. *)
let longest_patience = 0.1

let[@inline never] sleep_and_tell w seconds =
  if w.sleeper.parks mod sleeps_between = 0 then tell_again w;
  !Trace_hooks.listener.parks ~worker:(number w);
  let outcome = Sleep.commit_wait w.parts.sleepers w.sleeper seconds in
  !Trace_hooks.listener.unparked ~worker:(number w);
  outcome

let wait_asleep w seconds =
  !Trace_hooks.look ();
  if !Trace_hooks.on then sleep_and_tell w seconds else Sleep.commit_wait w.parts.sleepers w.sleeper seconds

(* Seconds. What tokens wake it for in between does not count. *)
let left ~since patience =
  Option.map (fun seconds -> seconds -. (float_of_int (Timer_thread.now () - since) *. 1e-9)) patience

(* The worker is idle since [since] then. A token may come from the alarm, or from who closes the pool, to whom [idle] answers. *)
let rec wait_listed w ~until ~retire ~patience ~since =
  let outcome =
    if until () then Parker.Token
    else begin
      hand_over_all w;
      wait_asleep w (left ~since patience)
    end
  in
  ignore (queue_handlers w.parts : bool);
  (* After every wait: see Alarm. *)
  if Timers.is_due w.parts.timers then begin
    Sleep.while_attending w.parts.sleepers (fun () -> run_timers w);
    (* Who fell asleep meanwhile did not find the pool idle. *)
    w.parts.idle ()
  end;
  match (outcome, retire, patience) with
  | Timed_out, Some r, Some seconds when not (until ()) -> (
      match r.leave () with
      | Sleep.Gone -> Retired
      | Woken -> Go_on
      | Needed ->
          (* Later, then, and less and less often. *)
          let patience = Some (Float.min longest_patience (2. *. seconds)) in
          wait_listed w ~until ~retire ~patience ~since:(Timer_thread.now ()))
  | _ ->
      let wanted = until () || is_work w.parts in
      if
        Sleep.is_woken w.parts.sleepers w.sleeper
        || (wanted && Sleep.cancel_wait w.parts.sleepers w.sleeper ~leaving:(until ()))
      then Go_on
      else begin
        w.parts.idle ();
        wait_listed w ~until ~retire ~patience ~since
      end

let rec work_on w ~until ~retire =
  if Timers.is_due w.parts.timers then run_timers w;
  if Deque.is_preempt_requested w.deque then turn_to_injector w;
  if not (until ()) then
    if Sleep.is_over w.parts.sleepers && w.index > 0 then sleep w ~until ~retire
    else
      let task = own w in
      if task != Job.nil then begin
        execute w task;
        settle_soon w;
        work_on w ~until ~retire
      end
      else if Sleep.start_search w.parts.sleepers w.sleeper then search_or_sleep w ~until ~retire
      else sleep w ~until ~retire

(* The worker is Searching. *)
and search_or_sleep w ~until ~retire =
  let task = search w in
  if task != Job.nil then begin
    found w task;
    execute w task;
    if Steal_backoff.has_stolen w.pace then
      Steal_backoff.ended w.pace ~more:(not (Deque.is_empty w.deque)) ~now:(Tsc.now ());
    settle_soon w;
    work_on w ~until ~retire
  end
  else sleep w ~until ~retire

(* The worker is Working or Searching, and found nothing, or is one too many. *)
and sleep w ~until ~retire =
  let searched = w.sleeper.status = Sleep.Searching in
  Sleep.prepare_wait w.parts.sleepers w.sleeper;
  let leaving = until () in
  if (leaving || is_work w.parts) && Sleep.cancel_wait w.parts.sleepers w.sleeper ~leaving:(until ()) then begin
    if searched && not leaving then w.sleeper.late <- w.sleeper.late + 1;
    go_on w ~until ~retire
  end
  else begin
    w.slept_at <- Timer_thread.now ();
    w.parts.idle ();
    wait_and_go_on w ~until ~retire
  end

and wait_and_go_on w ~until ~retire =
  let patience = Option.map (fun r -> r.after) retire in
  let wait () = wait_listed w ~until ~retire ~patience ~since:(Timer_thread.now ()) in
  match Sleep.while_waiting w.sleeper wait with Retired -> () | Go_on -> go_on w ~until ~retire

(* It is Searching again. *)
and go_on w ~until ~retire =
  if Timers.is_due w.parts.timers then run_timers w;
  if until () then Sleep.stop_search w.parts.sleepers w.sleeper ~more:(fun () -> is_work w.parts)
  else search_or_sleep w ~until ~retire

let work w ~until = work_on w ~until ~retire:None
let work_elastic w ~until retire = work_on w ~until ~retire:(Some retire)

let return w ~until retire =
  let retire = Some retire in
  let task = if w.sleeper.starting && not (until ()) then from_injector w else Job.nil in
  if task == Job.nil then begin
    Sleep.started w.parts.sleepers w.sleeper;
    wait_and_go_on w ~until ~retire
  end
  else begin
    Sleep.working_at_once w.parts.sleepers w.sleeper
      ~more:(fun () -> is_work w.parts)
      (fun () ->
        hurry w.parts;
        execute w task);
    settle_soon w;
    work_on w ~until ~retire
  end
