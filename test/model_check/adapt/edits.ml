open Edit

let adaptations =
  [
    edit "deque.ml" "~capacity:256" "~capacity:!Deque_memory.initial_capacity";
    edit "job.ml" "{ state = here;" "{ state = State.cell here;";
    edit "job.ml" "{ state = task_of here;" "{ state = State.cell (task_of here);";
    edit "job.ml" "{ state = Pending;" "{ state = State.cell Pending;";
    edit "job.ml" "{ state = Returned v;" "{ state = State.cell (Returned v);";
    edit "job.ml" "{ state = Resume;" "{ state = State.cell Resume;";
    edit "job.ml" "{ state = Gave_way;" "{ state = State.cell Gave_way;";
    edit "job.ml" "{ state = running;" "{ state = State.constant running;";
    edit "fiber_mutex.mli" "Weft_scheduler.Waiter" "Waiter";
    edit "fiber_semaphore.mli" "Weft_scheduler.Waiter" "Waiter";
    edit "fiber_condition.mli" "Weft_scheduler.Waiter" "Waiter";
    edit "ordered_mutex.mli" "'a Weft_scheduler.Waiter" "'a Waiter";
    edit "fiber.ml" "let rec none = { status = Fine;" "let rec none = { status = Atomic_field.constant Fine;";
    edit "fiber.ml" "nobody = { state = Running; deque = Deque_memory.nowhere ();"
      "nobody = { state = Atomic_field.constant Running; deque = Atomic_field.constant (Deque_memory.nowhere \
       ());";
    edit "fiber.ml" "make deque = { state = Running; deque = Deque_memory.anonymous deque;"
      "make deque = { state = Atomic_field.of_fiber Running; deque = Atomic_field.of_fiber \
       (Deque_memory.anonymous deque);";
    edit "fiber.ml" ~times:6 "{ status = Fine; fiber" "{ status = Atomic_field.status Fine; fiber";
    edit "fiber.ml" "Deque.request_preempt f.deque" "Deque.request_preempt (Atomic_field.contents f.deque)";
    edit "fiber.ml" "f.deque <- Deque_memory.anonymous deque"
      "Atomic_field.set_contents f.deque (Deque_memory.anonymous deque)";
    edit "sleepers.ml" "t.word.value <- " "Deque_memory.set_word t.word ";
    edit "sleep.ml" "t.word.value <> 0" "Deque_memory.word t.word <> 0";
    (* Hints are read without the lock, but as a step. *)
    edit "types.ml" "    word : Deque_memory.word;\n"
      "    word : Deque_memory.word;\n    no_spare : Section.word;\n";
    edit "sleepers.mli" "val move : t"
      "val note_spare : t -> unit\nval hint : t -> (unit -> 'a) -> 'a\nval move : t";
    edit "sleepers.ml" "    word;\n" "    word;\n    no_spare = Section.word \"no spare\";\n";
    edit "sleepers.ml" "let updated t =\n"
      "let note_spare t =\n\
      \  Section.change t.no_spare (match t.listed with s :: _ when s.is_retired -> 1 | _ -> 0)\n\n\
       let updated t =\n\
      \  note_spare t;\n\
      \  Activity.check ~active:(active t) ~room:t.room;\n";
    edit "respawn.ml" "s.counts.returns <- s.counts.returns + 1;"
      "s.counts.returns <- s.counts.returns + 1; note_spare t;";
    edit "respawn.ml" "  t.listed <- listed;\n  Membarrier.heavy ();"
      "  t.listed <- listed;\n  note_spare t;\n  Membarrier.heavy ();";
    edit "respawn.ml" "t.listed <- was;" "t.listed <- was; note_spare t;";
    edit "respawn.ml" "if not (has_spare t) then Lock" "if Section.read t.no_spare = 1 then Lock";
    (* Nobody sees these values in the middle of a section. *)
    edit "sleepers.ml" "let move t s status =\n"
      "let hint t f = if Section.collapsed () then (Section.look (); f ()) else Lock.protect t.lock f\n\n\
       let move t s status =\n";
    edit "sleep.ml" "let is_over t = active t > t.room"
      "let is_over t = Activity.is_bounded () && hint t (fun () -> active t > t.room)";
    edit "sleep.ml" "  if t.starting > 0 then\n" "  if hint t (fun () -> t.starting > 0) then\n";
    edit "forward_effects.ml" "  | answer -> answer\n  | exception exn ->"
      "  | answer -> answer\n  | exception Process.Stopped -> raise Process.Stopped\n  | exception exn ->";
    (* Nobody looks at it while the processes run. *)
    edit "suspended_fibers.ml" "let zero () = Atomic.make 0" "let zero () = Atomic.unobserved 0";
    (* No collection happens in a run, and lists are too short to be cleared. *)
    edit "promise.ml" "if Forward_effects.await ~first:false p waiter then Job.clear_away p else settled ()"
      "if not (Forward_effects.await ~first:false p waiter) then settled ()";
    (* A finaliser would take steps in the middle of another run. *)
    edit "forward_effects.ml" "  Gc.finalise refuse_unawaited a;\n" "";
    edit "promise.ml" "let w = Weak.create 1 in\n  Weak.set w 0 (Some x);\n  w" "Some x";
    edit "promise.ml" "Weak.check alive 0" "Option.is_some alive";
    edit "promise.ml" "Weak.get alive 0" "alive";
    (* These are kept over all runs, and are not checked here. *)
    edit "uncaught.ml" "module Ids =" "module Atomic = Stdlib.Atomic\nmodule Ids =";
    edit "locals.ml" "module By_id =" "module Atomic = Stdlib.Atomic\n  module By_id =";
    (* Sections as single steps, for large scenarios: see Section. *)
    edit "lock.ml" "let protect l f =\n  Stack_room.(ensure step);\n  Mutex.lock l.mutex;"
      "let protect l f = if Mutex.is_whole l.mutex then Section.run f else\n  let () = Mutex.lock l.mutex in";
    edit "lock.ml" "let do_soon l f =\n  Stack_room.(ensure step);\n  add l f;"
      "let do_soon l f = if Mutex.is_whole l.mutex then Section.run f else\n  let () = add l f in";
    edit "ordered_mutex.ml" "Mutex.create ()" "Section.step_by_step Mutex.create";
    edit "fiber_mutex.ml" "Lock.create ()" "Section.step_by_step Lock.create";
    (* Nobody spins, and the scenario says when somebody has waited long enough. *)
    edit "fiber_mutex.ml" "let spins = 20" "let spins = 0";
    edit "fiber_mutex.ml" "  if not (try_again m w node)"
      "  Patience.wait_ended ();\n  if not (try_again m w node)";
    edit "fiber_mutex.ml" "Timer_thread.now () >= time" "ignore time; Patience.is_over ()";
    edit "fiber_semaphore.ml" "Lock.create ()" "Section.step_by_step Lock.create";
    edit "fiber_condition.ml" "Lock.create ()" "Section.step_by_step Lock.create";
    edit "rwlock.ml" "Lock.create ()" "Section.step_by_step Lock.create";
    edit "limit.ml" "Lock.create ()" "Section.step_by_step Lock.create";
    edit "mvar.ml" "Lock.create ()" "Section.step_by_step Lock.create";
    edit "write_once.ml" "Lock.create ()" "Section.step_by_step Lock.create";
    edit "barrier.ml" "Lock.create ()" "Section.step_by_step Lock.create";
    edit "broadcast.ml" "Lock.create ()" "Section.step_by_step Lock.create";
    (* The scenarios close no pool, and do not look for deadlocks. *)
    edit "once.ml" "  | Pool_state.Closed _ | Deadlock.Deadlock _ -> true\n" "";
    (* Deques as single words, for the same reason: see Whole_deque. *)
    edit "deque.ml" "let[@inline] is_full d =" "let is_full d = (not (Whole_deque.used ())) &&";
    edit "deque.ml" "let[@inline] push d x =\n"
      "let push d x = if Whole_deque.used () then Whole_deque.push (Cells.whole d) x else\n";
    edit "deque.ml" "let[@inline never] pop d ~nil =\n"
      "let pop d ~nil = if Whole_deque.used () then Whole_deque.pop (Cells.whole d) ~nil else\n";
    edit "deque.ml" "let[@inline never] steal d ~nil =\n"
      "let steal d ~nil = if Whole_deque.used () then Whole_deque.steal (Cells.whole d) ~nil else\n";
    edit "deque.ml" "let[@inline never] take_eldest d ~nil =\n"
      "let take_eldest d ~nil = if Whole_deque.used () then Whole_deque.steal (Cells.whole d) ~nil else\n";
    edit "deque.ml" "let[@inline] size d =\n"
      "let size d = if Whole_deque.used () then Whole_deque.size (Cells.whole d) else\n";
    edit "deque.ml" "let[@inline] is_empty d ="
      "let is_empty d = if Whole_deque.used () then Whole_deque.size (Cells.whole d) = 0 else";
    (* Cases are tried in the order in which they are written: random draws would differ from run to run. *)
    edit "select_cases.ml" "let j = draw () mod (i + 1) in" "ignore draw; let j = i in";
    edit "publication_list.ml" "Atomic.make_contended" "Atomic.make";
    (* The alarm calls nobody in the scenarios. *)
    edit "worker_loop.ml" "(fun () -> is_work_to_take w.parts);\n    hurry w.parts;\n"
      "(fun () -> is_work_to_take w.parts);\n";
    edit "hand_over.ml" "sleepers ignore;\n    hurry w.parts\n" "sleepers ignore\n";
    edit "fork_join.ml" "let soon = 2_000" "let soon = 0";
    (* One look at the other deques stands for many. *)
    edit "worker.ml" "let search_rounds = 100" "let search_rounds = 0";
    (* No deque is, and to look takes a step. *)
    edit "worker.ml" "Deque.size w.deque > long" "false";
    (* A step for each access, since the thief of the rest reads it. *)
    edit "deferred_rest.ml" "{ mutable after : int }" "{ after : int Atomic.t }";
    edit "deferred_rest.ml" "{ after = until }" "{ after = Atomic.make until }";
    edit "deferred_rest.ml" "range.after + 1" "Atomic.get range.after + 1";
    edit "deferred_rest.ml" "claimed t = t.range.after" "claimed t = Atomic.get t.range.after";
    edit "deferred_rest.ml" "t.range.after <- last" "Atomic.set t.range.after last";
    (* Thieves spare nothing: no time passes. *)
    edit "worker.ml" "is_put_off w = Deque.size w.deque = 1 && Deque.is_deferred w.deque"
      "is_put_off w = false";
  ]

(* --- the planted faults --- *)

let of_deferred_rests =
  let caught_by = [ "a deferred rest and a thief" ] in
  [
    mutant "a stretch is claimed after the rest is pushed" ~caught_by
      [
        swap "deferred_rest.ml" "Atomic.set t.range.after last" "()";
        swap "deferred_rest.ml" "if last < t.finish then push deque t.job"
          "((if last < t.finish then push deque t.job); Atomic.set t.range.after last)";
      ];
    mutant "a stretch is claimed though the rest is gone" ~caught_by
      [
        swap "deferred_rest.ml" ~before:"&& " "Deque.pop_if deque (Job.T t.job)"
          "(ignore (Deque.pop_if deque (Job.T t.job)); true)";
      ];
  ]

let of_deque =
  [
    mutant "the last pop ignores its compare-and-set"
      ~caught_by:[ "the last element, popped"; "the last element, joined" ]
      [
        swap "deque.ml" ~before:"top = b && " "Cells.cas_top d top (top + 1)"
          "(ignore (Cells.cas_top d top (top + 1)); true)";
      ];
    mutant "pop takes the last element without compare-and-set" ~caught_by:[ "the last element, popped" ]
      [ swap "deque.ml" ~before:"    if " "top < b" "top <= b" ~after:" then Cells.slot d b" ];
    mutant "pop_if takes the last element without compare-and-set" ~caught_by:[ "the last element, joined" ]
      [ swap "deque.ml" "top < b" "top <= b" ~after:" || pop_last" ];
    mutant "pop_if does not look which element it is"
      ~caught_by:[ "the wrong element, joined"; "a join whose left side leaves a task above" ]
      [ swap "deque.ml" "Cells.slot_is d b x" "(ignore (Cells.slot_is d b x); true)" ];
    mutant "steal ignores its compare-and-set" ~caught_by:[ "the last element, popped" ]
      [
        swap "deque.ml" ~before:"if " "Cells.cas_top d top (top + 1)"
          "(ignore (Cells.cas_top d top (top + 1)); true)" ~after:" then Cells.taken x else nil";
      ];
    mutant "the owner takes the eldest without compare-and-set"
      ~caught_by:[ "the last element, taken as the eldest" ]
      [
        swap "deque.ml" ~before:"if not (" "Cells.cas_top d top (top + 1)"
          "(ignore (Cells.cas_top d top (top + 1)); true)" ~after:") then nil else x";
      ];
    mutant "steal reads bottom before top"
      ~caught_by:[ "two elements, popped, thieves of two" ]
      [
        (fun name ->
          edit "deque.ml" "let top = Cells.top d in\n    let seen = Cells.bottom d in"
            (Printf.sprintf
               "let early = if Mutation.is %S then Cells.bottom d else 0 in\n\
               \  let top = Cells.top d in\n\
               \  let seen = if Mutation.is %S then early else Cells.bottom d in"
               name name));
        swap "deque.ml" ~before:"let bottom = " "Cells.bottom d" "seen" ~after:" in\n      if top >= bottom";
      ];
    mutant "growth publishes before it copies" ~caught_by:[ "growth from one slot, a thief of two" ] [];
    mutant "a thief uses the owner's mask" ~caught_by:[ "growth from one slot, a thief of two" ] [];
  ]

let of_jobs =
  [
    mutant "claim gets, then sets"
      ~caught_by:[ "a task, its maker waits, a thief" ]
      [
        swap "job.ml" "cas j was running || claim j ~running"
          "(ignore was; State.set (j : 'a t) running; true)";
      ];
    mutant "an awaiter's claim gets, then sets"
      ~caught_by:[ "a fiber makes a task and waits, a thief" ]
      [ swap "job.ml" "cas j (task_of here) running" "(ignore here; State.set (j : 'a t) running; true)" ];
    mutant "settle gets, then sets"
      ~caught_by:[ "a join and a thief"; "a task, its maker waits, a thief, a callback" ]
      [
        swap "job.ml" "State.exchange (j : 'a t) outcome"
          "(let was = State.get (j : 'a t) in State.set (j : 'a t) outcome; was)";
      ];
    mutant "try_settle gets, then sets" ~caught_by:[ "a waiter, two resolvers" ]
      [
        swap "job.ml" "if cas j was outcome then Some [] else try_settle j outcome"
          "(ignore was; State.set (j : 'a t) outcome; Some [])";
      ];
    mutant "a joiner is added by a plain set" ~caught_by:[ "a join and a thief" ]
      [
        swap "job.ml" ~before:"if " "cas j was (Awaited_running [ w ])"
          "(ignore was; State.set (j : 'a t) (Awaited_running [ w ] : 'a state); true)";
      ];
    mutant "a promise's waiter is added by a plain set" ~caught_by:[ "a waiter, two resolvers" ]
      [
        swap "job.ml" ~before:"if " "cas j was (Awaited_pending [ w ])"
          "(ignore was; State.set (j : 'a t) (Awaited_pending [ w ] : 'a state); true)";
      ];
    mutant "a task asks by a plain set"
      ~caught_by:[ "a task that asks, its awaiter, a thief" ]
      [
        swap "job.ml" ~before:"if " "cas j was (Asks (a, []))"
          "(ignore was; State.set (j : 'a t) (Asks (a, []) : 'a state); true)";
      ];
    mutant "a fiber that answers a task gets the flag, then sets it"
      ~caught_by:[ "a task that asks, its awaiter, a canceller" ]
      [
        swap "forward_effects.ml" ~before:"ignore (" "Claim.take_or_leave a.answered go_on"
          "(Claim.is_taken a.answered || (ignore (Claim.take a.answered : bool); go_on (); true))";
      ];
    mutant "a waiter is removed by a plain set"
      ~caught_by:[ "two quit"; "a waiter, one quits, a resolver" ]
      [
        swap "job.ml" "cas j was now || change_waiters j change"
          "(ignore change; State.set (j : 'a t) (now : 'a state); true)";
      ];
    mutant "the last one removed makes a running job a task again"
      ~caught_by:[ "a task, its maker waits, a thief, one quits" ]
      [ swap "job.ml" ~before:"~none:" "running" "(Task Fiber.none)" ];
    mutant "a fiber that adds callbacks does not look for the decision"
      ~caught_by:[ "a race that lasting promises lose" ]
      [ swap "promise.ml" ~before:"if " "is_settled first" "false" ~after:" then take_leave ()" ];
    mutant "a fiber that decides does not take the callbacks away"
      ~caught_by:[ "a race that lasting promises lose" ]
      [ swap "promise.ml" ~before:"Callback " "take_leave" "ignore" ];
    mutant "a worker runs jobs that are claimed"
      ~caught_by:[ "a join whose left side leaves a task above" ]
      [
        swap "run_job.ml" ~before:"[] -> " "Job.claim j ~running" "(ignore (Job.claim j ~running); true)"
          ~after:" | limits";
      ];
    mutant "a canceller gets the flag, then sets it"
      ~caught_by:[ "a waiter, a resolver, a canceller" ]
      [
        swap "claim.ml" ~before:"let[@inline] take c = " "Atomic.compare_and_set c Waits Taken"
          "(Atomic.get c = Waits && (Atomic.set c Taken; true))";
      ];
    mutant "a fiber that is read is continued at once"
      ~caught_by:[ "a fiber, a reader, two who continue it" ]
      [
        swap "claim.ml" ~before:"Read when " "Atomic.compare_and_set c Read (Left go_on)"
          "(Atomic.set c Taken; go_on (); true)";
      ];
    mutant "who comes to a fiber that is read leaves word by a plain set"
      ~caught_by:[ "a fiber, a reader, two who continue it" ]
      [
        swap "claim.ml" ~before:"else " "Atomic.compare_and_set c Read (Left go_on)"
          "(Atomic.set c (Left go_on); true)";
      ];
    mutant "a reader leaves by a plain set"
      ~caught_by:[ "a fiber, two readers, one who continues it" ]
      [
        swap "claim.ml" ~before:"if not (" "Atomic.compare_and_set c Read Waits" "(Atomic.set c Waits; true)";
      ];
  ]

let of_locals =
  let join = "a join with something bound, and a thief" in
  let waiting = "a join with something bound, whose left side waits" in
  let tasks = "two tasks, awaited with something else bound, and a thief" in
  [
    mutant "a fork does not note its context" ~caught_by:[ join ]
      [
        swap "fork_join.ml" ~before:"Job.fork (" "Spawn_context.here deque"
          "(Spawn_context.within Fiber.none)" ~after:") g";
      ];
    mutant "a task does not note its context" ~caught_by:[ tasks ]
      [
        swap "fork_join.ml" ~before:"let async run =\n  let deque = Cells.current () in\n  let j = Job.task ("
          "Spawn_context.here deque" "Spawn_context.nobody" ~after:") run";
      ];
    mutant "a fiber leaves its context behind when it moves" ~caught_by:[ waiting ]
      [
        swap "suspend.ml" ~before:"= Deque_memory.current () in\n  " "Spawn_context.set_here deque here" "()";
      ];
    mutant "a worker keeps the context of a fiber that has left" ~caught_by:[ join ]
      [ swap "worker_loop.ml" "Spawn_context.set_here w.deque Spawn_context.nobody" "()" ];
    mutant "a context is put back onto the worker it was put on" ~caught_by:[ waiting ]
      [
        (fun name ->
          edit "context.ml" ~times:2 "Spawn_context.set_here (here ()) before"
            (Printf.sprintf "Spawn_context.set_here (if Mutation.is %S then deque else here ()) before" name));
      ];
    mutant "a task run in place sees its awaiter's bindings" ~caught_by:[ tasks ]
      [ swap "fork_join.ml" ~before:"Bindings.inherited " "spawned_in.bindings" "c.bindings" ];
  ]

let of_locks =
  [
    mutant "handing over to a lock gets, then sets" ~caught_by:[ "a holder, two that hand over" ]
      [ swap "lock.ml" "Atomic.compare_and_set l.soon was (f :: was)" "(Atomic.set l.soon (f :: was); true)" ];
    mutant "taking what was handed over gets, then sets" ~caught_by:[ "a holder, two that hand over" ]
      [
        swap "lock.ml" "Atomic.compare_and_set l.soon was rest" "(Atomic.set l.soon (ignore was; rest); true)";
      ];
    mutant "a lock's holder does not look at what was handed over"
      ~caught_by:[ "two holders, one that hands over" ]
      [ swap "lock.ml" ~before:"Mutex.unlock l.mutex;\n      " "work_off l" "()" ~after:";\n      v" ];
    mutant "a lock's holder does not look first"
      ~caught_by:[ "who comes after a hand-over sees it done" ]
      [ swap "lock.ml" ~before:"match\n    " "work_through l" "()" ~after:";\n    f ()" ];
    mutant "a lock's holder that raises does not look" ~caught_by:[ "a holder that raises" ]
      [
        swap "lock.ml"
          ~before:
            "| exception exn ->\n\
            \      let backtrace = Printexc.get_raw_backtrace () in\n\
            \      Mutex.unlock l.mutex;\n\
            \      "
          "work_off l" "()" ~after:";\n      Printexc";
      ];
  ]

let of_timers =
  let alone = "two timers, called and cancelled at once" in
  let alarmed = "two timers, the clock" in
  [
    mutant "a timer is added by a plain set" ~caught_by:[ alarmed; alone ]
      [
        swap "timers.ml" ~before:"if " "Atomic.compare_and_set t.pending was (Pending.add timer was)"
          "(Atomic.set t.pending (Pending.add timer was); true)" ~after:" then Timer_thread";
      ];
    mutant "a timer is cancelled by a plain set"
      ~caught_by:[ "a timer, cancelled, and the clock"; alone ]
      [
        swap "timers.ml" ~before:"&& (" "Atomic.compare_and_set t.pending was rest"
          "(Atomic.set t.pending rest; true)";
      ];
    mutant "timers are taken by a plain set"
      ~caught_by:[ "a timer, cancelled, and the clock"; alone ]
      [
        swap "timers.ml" ~before:"due = [] || " "Atomic.compare_and_set t.pending was rest"
          "(Atomic.set t.pending rest; true)" ~after:" then due";
      ];
    mutant "the alarm is not set again" ~caught_by:[ alarmed ]
      [ swap "timers.ml" ~before:"timer -> " "Timer_thread.set t.alarm timer.at" "ignore timer" ];
    mutant "the alarm is set before the timer is added" ~caught_by:[ alarmed ]
      [
        swap "timers.ml" "Timer_thread.start ()" "Timer_thread.set t.alarm at";
        swap "timers.ml" "Timer_thread.set t.alarm timer.at" "()" ~after:"\n  else";
      ];
    mutant "an alarm goes off before it is unset" ~caught_by:[ alarmed ] [];
  ]

let of_courses =
  [
    mutant "a failure is noted by a plain set" ~caught_by:[ "three blocks fail" ]
      [
        swap "early_exit.ml" ~before:"  | None when " "Atomic.compare_and_set c.failure was (Some f)"
          "(Atomic.set c.failure (Some f); true)";
      ];
    mutant "a failure stops the others before it is noted" ~caught_by:[ "whoever is stopped sees why" ]
      [
        swap "early_exit.ml" "note c { at; exn; backtrace }" "stop c at";
        swap "early_exit.ml" ~before:";\n  " "stop c at" "note c { at; exn; backtrace }";
      ];
    mutant "a smaller failure is noted by a plain set" ~caught_by:[ "three blocks fail" ]
      [
        swap "early_exit.ml" ~before:"  | Some before when " "Atomic.compare_and_set c.failure was (Some f)"
          "(Atomic.set c.failure (Some f); true)";
      ];
    mutant "any failure replaces the one before" ~caught_by:[ "three blocks fail" ]
      [ swap "early_exit.ml" "before.at <= f.at" "false" ];
    mutant "the limit is lowered by a plain set"
      ~caught_by:[ "three blocks fail, those above stop"; "the first of three answers" ]
      [
        swap "early_exit.ml" ~before:"not (" "Atomic.compare_and_set last was i" "(Atomic.set last i; true)"
          ~after:") then lower";
      ];
    mutant "an answer is kept by a plain set" ~caught_by:[ "the first of three answers" ]
      [
        swap "search.ml" ~before:"not (" "Atomic.compare_and_set best was (At (at, answer))"
          "(Atomic.set best (At (at, answer)); true)" ~after:") then keep_first";
      ];
    mutant "an answer stops the blocks to its left too"
      ~caught_by:[ "the first of three answers"; "the first of an answer between failures" ]
      [ swap "search.ml" ~before:"let exit = " "Early_exit.start Above" "Early_exit.start All" ];
    mutant "a failure wins against answers"
      ~caught_by:[ "the first of a failure between answers" ]
      [ swap "search.ml" ~before:"when " "at < failed" "false" ];
  ]

let mutants =
  List.concat
    [
      Publication_list_faults.all;
      of_deque;
      of_deferred_rests;
      of_jobs;
      of_locals;
      of_locks;
      of_timers;
      of_courses;
      Sleep_faults.all;
      Sync_faults.all;
    ]
