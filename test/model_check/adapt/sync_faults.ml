open Edit

let of_channels =
  let two_receivers = "two receivers wait, one is stopped, two senders" in
  let two_senders = "two senders wait, one is stopped, two receivers" in
  let receiver_comes = "a receiver comes and is stopped, another waits, a sender" in
  let sender_comes = "a sender comes and is stopped, another waits, a receiver" in
  let threads = "two senders, one gives up, a receiver, room for one" in
  [
    mutant "a cell is closed by a plain set" ~caught_by:[ two_receivers; two_senders ]
      [
        swap "job.ml" ~before:"if " "cas j was outcome" "(ignore was; State.set (j : 'a t) outcome; true)"
          ~after:" then Some waiters";
      ];
    mutant "a message goes to a receiver that has given up"
      ~caught_by:[ two_receivers; "a sender, a receiver that gives up" ]
      [
        swap "channel.ml" ~before:"Some give -> " "give m" "(ignore (give m : bool); true)"
          ~after:" || give_first";
      ];
    mutant "a message is taken from a sender that has given up" ~caught_by:[ two_senders; threads ]
      [
        swap "channel.ml" ~before:"if " "s.tell true" "(ignore (s.tell true : bool); true)"
          ~after:" then s.message";
      ];
    mutant "a waiter that gives up stays in line" ~caught_by:[ receiver_comes; sender_comes ]
      [
        swap "channel.ml" ~before:"let leave () = "
          "Ordered_mutex.protect c.guard (fun () -> Wait_queue.remove node)" "()";
      ];
    mutant "a sender gets in line without another look" ~caught_by:[ threads ]
      [ swap "channel.ml" ~before:"let enter () =\n    if " "try_send c m" "false" ];
    mutant "a receiver gets in line without another look" ~caught_by:[ threads ]
      [ swap "channel.ml" ~before:"let enter () =\n    match " "try_recv c" "None" ];
    mutant "a receiver gets in line of a closed channel"
      ~caught_by:[ "a sender waits and is stopped, a receiver, a closer" ]
      [ swap "channel.ml" ~before:"| None when " "c.closed" "false" ~after:" -> Some None" ];
    mutant "a taken message is not replaced by the next sender's"
      ~caught_by:[ "two senders wait, one is stopped, two receivers, room for one" ]
      [
        swap "channel.ml" ~before:"if " "Wait_queue.is_empty c.senders" "true"
          ~after:" then Ring.drop c.ring else drop_and_refill c";
      ];
    mutant "those whom a section has woken are not told" ~caught_by:[ two_receivers; two_senders ]
      [ swap "ordered_mutex.ml" ~before:"if woken != Waiter.nobody then " "Waiter.tell woken" "()" ];
    mutant "a fiber that is stopped waits all the same" ~caught_by:[ receiver_comes; sender_comes ]
      [ swap "fiber.ml" ~before:"| Stopped exn -> " "Some exn" "None" ~after:"\n        | Fine" ];
  ]

let of_selects =
  [
    mutant "a select leaves its other waiters in the queues"
      ~caught_by:
        [
          "two selects that could serve each other";
          "a select waits and is stopped, a receiver waits, a sender";
        ]
      [ swap "select_cases.ml" ~before:"let leave () = " "leave cases entries" "()" ];
    mutant "a select of channels waits without another look"
      ~caught_by:[ "two selects that could serve each other" ]
      [ swap "select_cases.ml" ~before:"let enter () =\n    match " "attempt_any cases" "None" ];
    mutant "a select that has won elsewhere takes a value all the same"
      ~caught_by:[ "a select of two mvars, two put" ]
      [
        swap "mvar.ml" ~before:"| Some v -> if " "give v" "(ignore (give v : bool); true)"
          ~after:" then refill";
      ];
    mutant "a select of an mvar waits without another look" ~caught_by:[ "a select of two mvars, two put" ]
      [ swap "mvar.ml" ~before:"match " "m.value" "None" ~after:" with None -> Wait_queue.add m.takers node" ];
    mutant "a select of an ivar waits without another look" ~caught_by:[ "a select of an ivar, one fills" ]
      [ swap "write_once.ml" ~before:"let joins = " "Atomic.get d == was" "(ignore was; true)" ];
    mutant "a select that leaves a semaphore does not serve"
      ~caught_by:[ "a select of an ivar and a semaphore" ]
      [ swap "fiber_semaphore.ml" ~before:"Wait_queue.remove turn;\n    " "serve s" "()" ];
    mutant "a select does not lock a condition's mutex again" ~caught_by:[ "a select of a condition" ]
      [
        swap "select_cases.ml" ~before:"let lock_again () = "
          "List.iter Fiber_condition.Private.lock_again mutexes" "()";
      ];
  ]

let of_turns =
  let mutex = "mutex: a holder, two wait, one is stopped, a thief" in
  let semaphore = "semaphore: a holder, two wait, one is stopped" in
  let fair = "fair mutex: a holder, two wait, one is stopped, a thief" in
  let two_mutex = "mutex: two come, one gives up" in
  let two_fair = "fair mutex: two come, one gives up" in
  let again = "mutex: a holder, one waits, one comes" in
  let moved = "mutex: a holder, one waits, one comes, patience ends" in
  let moved_in_flight = "mutex: one is in flight, a holder, a select waits, patience has ended" in
  let gives_up_in_flight = "mutex: a holder, two wait, one gives up in flight, one comes" in
  let two_semaphore = "semaphore: two come, one gives up" in
  [
    mutant "a turn goes to a waiter that has given up, and is lost" ~caught_by:[ fair; semaphore ]
      [
        swap "queued_lock.ml" ~before:"turn.given <- " "Waiter.wake turn.waiter turn.value"
          "(ignore (Waiter.wake turn.waiter turn.value); true)";
        swap "queued_lock.ml" ~before:"let given = " "turn.given" "false";
        swap "fiber_mutex.ml" ~before:"if " "m.holder == w.me" "false" ~after:" then m.holder <- free";
      ];
    mutant "a mutex is locked by a plain set" ~caught_by:[ two_mutex; two_fair ]
      [
        swap "fiber_mutex.ml"
          ~before:
            "let[@inline] lock_as ?timeout m what =\n\
            \  Poll.checkpoint_within ~what timeout;\n\
            \  let me = Context.owner () in\n\
            \  if not ("
          "Atomic.compare_and_set m.state free me"
          "(Atomic.get m.state == free && (Atomic.set m.state me; true))" ~after:")";
      ];
    mutant "a waiter that tries a mutex again locks it by a plain set" ~caught_by:[ again ]
      [
        swap "fiber_mutex.ml" ~before:"let try_free m me = " "Atomic.compare_and_set m.state free me"
          "(Atomic.get m.state == free && (Atomic.set m.state me; true))";
      ];
    mutant "a mutex is unlocked by a plain set" ~caught_by:[ two_fair ]
      [
        swap "fiber_mutex.ml" ~before:"if " "Atomic.compare_and_set m.state me free"
          "(Atomic.get m.state == me && (Atomic.set m.state free; true))" ~after:" then begin\n    if Atomic";
      ];
    mutant "a mutex gets queued by a plain set" ~caught_by:[ two_fair ]
      [ swap "fiber_mutex.ml" "Atomic.compare_and_set m.state s queued" "(Atomic.set m.state queued; true)" ];
    mutant "a waiter that hands a mutex over does not note its holder" ~caught_by:[ fair ]
      [ swap "fiber_mutex.ml" "m.holder <- Queued_lock.about turn" "ignore (Queued_lock.about turn)" ];
    mutant "an unlock reads attention before it frees the mutex" ~caught_by:[ two_mutex ]
      [
        (fun name ->
          edit "fiber_mutex.ml" "let[@inline] release m =\n  let me = Context.owner () in\n"
            (Printf.sprintf
               "let release m =\n\
               \  let me = Context.owner () in\n\
               \  let early = if Mutation.is %S then Atomic.get m.attention else calm in\n"
               name));
        swap "fiber_mutex.ml" "Atomic.get m.attention <> calm" "early <> calm"
          ~after:" then begin\n      try attend_if_time";
      ];
    mutant "a waiter parks at a mutex without another try" ~caught_by:[ two_mutex ]
      [ swap "fiber_mutex.ml" "try_free m w.me" "false" ~after:"\n  && begin" ];
    mutant "a waiter tries a mutex before it says that it is parked" ~caught_by:[ two_mutex ]
      [
        swap "fiber_mutex.ml" ~before:"add m.parked node;\n  " "note m" "()";
        swap "fiber_mutex.ml" "try_free m w.me" "(try_free m w.me || (note m; false))" ~after:")\n  && begin";
      ];
    mutant "an unlock wakes nobody who is parked at a mutex" ~caught_by:[ again ]
      [ swap "fiber_mutex.ml" ~before:"m.queue then begin\n    " "wake m" "()" ~after:";\n    note m" ];
    mutant "a flight does not end when its waiter parks again" ~caught_by:[ again ]
      [ swap "fiber_mutex.ml" ~before:"&& begin\n          " "m.in_flight <- None" "()" ];
    mutant "a waiter that gives up does not end its flight" ~caught_by:[ gives_up_in_flight ]
      [ swap "fiber_mutex.ml" ~before:"when v == w -> " "m.in_flight <- None" "()" ];
    mutant "a waiter that gives up puts a mutex's word back before it notes what is left"
      ~caught_by:[ gives_up_in_flight ]
      [ swap "fiber_mutex.ml" ~before:"let proceed m =\n  " "note m" "()" ];
    mutant "a waiter that gives up in flight wakes nobody" ~caught_by:[ gives_up_in_flight ]
      [ swap "fiber_mutex.ml" ~before:"if m.holder == free then begin\n    " "wake m" "()" ];
    mutant "a wake-up at a mutex that meets one that has given up is lost" ~caught_by:[ mutex ]
      [
        swap "fiber_mutex.ml" ~before:"m.in_flight <- flight else " "wake m" "()";
        swap "fiber_mutex.ml" ~before:"gives up in flight wakes nobody\" then () else " "wake m" "()"
          ~after:")";
      ];
    mutant "a waiter that is moved into a mutex's line keeps its old cell" ~caught_by:[ moved ]
      [
        swap "fiber_mutex.ml" ~before:"when is_over (turn_at m w) ->\n      " "w.wait <- Waiter.create ()"
          "()";
      ];
    mutant "a waiter that is moved into a mutex's line is still in flight" ~caught_by:[ moved ]
      [ swap "fiber_mutex.ml" ~before:"enqueue m w;\n      " "m.in_flight <- None" "()" ];
    mutant "a waiter that has been moved into a mutex's line parks again" ~caught_by:[ moved_in_flight ]
      [ swap "fiber_mutex.ml" ~before:"|| " "w.turn = None" "true" ~after:"\n     && begin" ];
    mutant "somebody is moved into a mutex's line, and its word is not queued" ~caught_by:[ moved ]
      [ swap "fiber_mutex.ml" ~before:"else begin\n    " "queue m" "()" ~after:";\n    proceed m" ];
    mutant "a semaphore's unit is taken by a plain set" ~caught_by:[ two_semaphore ]
      [
        swap "fiber_semaphore.ml"
          ~before:"let rec take_unit s =\n  let n = Atomic.get s.state in\n  n > 0 && ("
          "Atomic.compare_and_set s.state n (n - 1)" "(Atomic.set s.state (n - 1); true)";
      ];
    mutant "a semaphore's unit is put back by a plain set" ~caught_by:[ two_semaphore ]
      [
        swap "fiber_semaphore.ml" "Atomic.compare_and_set s.state n (n + 1)"
          "(Atomic.set s.state (n + 1); true)";
      ];
    mutant "a semaphore gets queued by a plain set" ~caught_by:[ two_semaphore ]
      [
        swap "fiber_semaphore.ml" "Atomic.compare_and_set s.state n queued"
          "(Atomic.set s.state queued; true)";
      ];
    mutant "a semaphore's unit is not counted when it is given" ~caught_by:[ semaphore ]
      [ swap "fiber_semaphore.ml" "s.units <- s.units - 1" "()" ];
    mutant "a waiter that enters a mutex does not serve" ~caught_by:[ two_fair ]
      [ swap "fiber_mutex.ml" ~before:"enqueue m w;\n    " "proceed m" "()" ];
    mutant "a waiter that enters a semaphore does not serve" ~caught_by:[ two_semaphore ]
      [ swap "fiber_semaphore.ml" ~before:"Wait_queue.add s.queue turn;\n  " "serve s" "()" ];
    mutant "a waiter that leaves a semaphore's line does not serve" ~caught_by:[ semaphore ]
      [
        swap "fiber_semaphore.ml" ~before:"if Queued_lock.withdraw turn then s.units <- s.units + 1;\n  "
          "serve s" "()";
      ];
    mutant "a waiter that leaves a mutex's line does not serve" ~caught_by:[ fair ]
      [ swap "fiber_mutex.ml" ~before:" then m.holder <- free;\n  " "proceed m" "()" ];
  ]

let of_fibers =
  let waits = "a fiber that waits is stopped" in
  let moves = "a fiber that moves is stopped" in
  let shield = "a fiber that forks behind a shield is stopped" in
  [
    mutant "a fiber that gave way is continued by both of its jobs"
      ~caught_by:[ "a fiber that is preempted and moves is stopped" ]
      [ swap "poll.ml" ~before:"not (" "Atomic.exchange claimed true" "Atomic.get claimed" ];
    mutant "a wait begins by a plain set" ~caught_by:[ waits ]
      [
        swap "fiber.ml" "cas_state f Running (Suspended w)" "(Atomic_field.set f (Suspended w); true)"
          ~after:" then None";
      ];
    mutant "a marked fiber looks before its wait is published"
      ~caught_by:[ "a fiber that was notified waits and is stopped" ]
      [
        swap "fiber.ml" ~before:"Cancel_requested when "
          "cas_state f Cancel_requested (Suspended_cancelled w)" "f != nobody";
        swap "fiber.ml" ~before:"| Fine | Failing _ -> " "None"
          "if cas_state f Cancel_requested (Suspended_cancelled w) then None else begin_wait w"
          ~after:")\n    | Cancel_requested";
      ];
    mutant "a waiter that notifies a fiber that waits does not end the wait" ~caught_by:[ waits ]
      [ swap "fiber.ml" ~before:"cas_state f was (Suspended_cancelled w) then " "reconsider w" "()" ];
    mutant "a fiber is notified before its context is stopped" ~caught_by:[ waits ]
      [
        swap "fiber.ml" ~before:"if cas_status c was (Stopped exn) then " "notify_cancel c.fiber" "()"
          ~after:" else stop";
        (fun name ->
          edit "fiber.ml" "  | (Fine | Failing _) as was -> if cas_status c was (Stopped exn)"
            (Printf.sprintf
               "  | (Fine | Failing _) as was ->\n\
               \    if Mutation.is %S then notify_cancel c.fiber;\n\
               \    if cas_status c was (Stopped exn)"
               name));
      ];
    mutant "a fiber is marked, and its deque not called" ~caught_by:[ "a fiber that forks is stopped" ]
      [ swap "fiber.ml" ~before:"if cas_state f Running Cancel_requested then " "call f" "()" ];
    mutant "a fiber gives up its wait before it notes its new deque" ~caught_by:[ moves ]
      [
        (fun name ->
          let noting = "    Atomic_field.set_contents f.deque (Deque_memory.anonymous deque);\n    " in
          edit "fiber.ml"
            (noting ^ "if not (try_arrive f) then arrive f")
            (Printf.sprintf
               "    if Mutation.is %S then arrive f;\n%sif not (Mutation.is %S || try_arrive f) then arrive f"
               name noting name));
      ];
    mutant "a fiber that was notified goes on uncalled" ~caught_by:[ moves ]
      [
        swap "fiber.ml" ~before:"cas_state f was Cancel_requested\n      && begin\n           " "call f" "()";
      ];
    mutant "a fiber gives up its wait by a plain set" ~caught_by:[ moves ]
      [
        swap "fiber.ml" ~before:"| Suspended _ as was -> " "cas_state f was Running"
          "(ignore was; Atomic_field.set f Running; true)";
      ];
    mutant "a stop is forgotten behind a shield" ~caught_by:[ shield ]
      [ swap "fiber.ml" "is_disturbed f c" "false" ~after:" then mark f" ];
    mutant "a fiber that comes back from behind a shield does not look" ~caught_by:[ shield ]
      [ swap "fiber.ml" "is_marked c.fiber" "false" ~after:" then call c.fiber" ];
    mutant "a fiber that was stopped is not stopped again"
      ~caught_by:[ "a fiber that forks on is stopped" ]
      [
        swap "fiber.ml" ~before:"| Stopped exn ->\n      " "mark f" "()";
        swap "fiber.ml" ~before:"      " "call f" "()" ~after:";\n      raise exn";
      ];
    mutant "a failed fork is joined and not taken back"
      ~caught_by:[ "a fork fails, its left side forks" ]
      [ swap "suspend.ml" "Fiber.fork_joined (Context.current ())" "()" ];
  ]

let of_cancelled_tasks =
  let alone = "a task, its worker, a canceller" in
  [
    mutant "a task is cancelled by a plain set" ~caught_by:[ alone ]
      [
        swap "cancellable.ml" "Atomic.compare_and_set t Begins (Cancelled exn)"
          "(Atomic.set t (Cancelled exn); true)" ~after:") then stop";
      ];
    mutant "a task begins by a plain set" ~caught_by:[ alone ]
      [
        swap "cancellable.ml" "Atomic.compare_and_set t was (Runs context)"
          "(ignore was; Atomic.set t (Runs context); true)";
      ];
    mutant "a task that begins does not look whether it was cancelled" ~caught_by:[ alone ]
      [ swap "cancellable.ml" "Fiber.stop context exn" "()" ~after:"\n  | (Begins" ];
    mutant "a task that is cancelled is not claimed" ~caught_by:[ alone ]
      [ swap "cancellable.ml" "Run_job.claim j" "not (Job.is_settled j)" ];
  ]

let of_broadcasts =
  [
    mutant "a subscriber gets in line without another look"
      ~caught_by:[ "broadcast: one reads, one sends" ]
      [ swap "broadcast.ml" ~before:"  match " "read s" "None" ~after:" with\n  | Some _ as message" ];
    mutant "a message wakes one subscriber"
      ~caught_by:[ "broadcast: two read, one is stopped, one sends" ]
      [ swap "broadcast.ml" ~before:": bool);\n      " "wake_all c" "()" ];
    mutant "those that wait are not told of the end"
      ~caught_by:[ "broadcast: one reads, one sends and closes" ]
      [ swap "broadcast.ml" ~before:"c.closed <- true;\n  " "wake_all c" "()" ];
    mutant "a message that was dropped is not missed"
      ~caught_by:[ "broadcast: one reads, two send, room for one" ]
      [ swap "broadcast.ml" "s.next < eldest" "false" ~after:" then begin" ];
  ]

let of_queues =
  let heirs = "limit: a holder, two heirs, one is cancelled" in
  let comes = "limit: a holder, an heir is cancelled, one comes" in
  let two = "two limits: one waits for the inner, and the outer is taken" in
  let signal = "condition: two wait, one is stopped, a signal" in
  let reader = "rwlock: a reader, a writer waits and is stopped, a reader waits" in
  [
    mutant "a call that meets an heir that was cancelled is lost" ~caught_by:[ heirs ]
      [
        swap "limit.ml" ~before:"Heir heir -> if not (" "heir ()" "heir () || true"
          ~after:") then call_next l ~leaves:true";
      ];
    mutant "an heir's room is not counted" ~caught_by:[ comes ]
      [ swap "limit.ml" ~before:"| Heir _ ->\n            " "l.running <- l.running + 1" "()" ];
    mutant "to be refused and to be put in line are two steps" ~caught_by:[ comes ]
      [
        swap "limit.ml"
          "Lock.protect l.lock @@ fun () ->\n\
          \  if l.running >= l.max then begin\n\
          \    Wait_queue.add l.refused node;\n\
          \    Queued\n\
          \  end\n\
          \  else if wanted () then begin\n\
          \    l.running <- l.running + 1;\n\
          \    Entered\n\
          \  end\n\
          \  else Unwanted"
          "(let entry = Lock.protect l.lock (fun () -> if l.running >= l.max then Queued else (l.running <- \
           l.running + 1; Entered)) in\n\
          \ if entry = Queued then Lock.protect l.lock (fun () -> Wait_queue.add l.refused node);\n\
          \ entry)";
      ];
    mutant "a waiter that has a job that is claimed is seen inside its limit"
      ~caught_by:[ "limit: a fork inside is claimed by its joiner, or by a thief" ]
      [
        swap "limit.ml" "enter_or_stand l (Wait_queue.node (Again again)) ~wanted"
          "(match enter_or_stand l (Wait_queue.node (Again again)) ~wanted:always with Entered when not \
           (wanted ()) -> leave_one l; Unwanted | entry -> entry)";
      ];
    mutant "a waiter that is refused by an inner limit does not call the next of it" ~caught_by:[ two ]
      [
        swap "limit.ml" ~before:"leave entered;\n            "
          "List.iter pass_on (if entry = Queued then further_in else [ l ])" "()";
      ];
    mutant "who claims a task does not call the next of its limit"
      ~caught_by:[ "limit: a holder, a task in line is cancelled, an heir" ]
      [ swap "run_job.ml" ~before:"if mine then " "List.iter Limit.pass_on limits" "ignore limits" ];
    mutant "a signal that meets one that has given up is lost" ~caught_by:[ signal ]
      [
        swap "fiber_condition.ml" "Queued_lock.give turn || give_first c ~signal"
          "(Queued_lock.give turn || true)";
      ];
    mutant "a writer that gives up does not serve those behind it" ~caught_by:[ reader ]
      [ swap "rwlock.ml" ~before:"(Queued_lock.about turn) : bool);\n  " "serve l" "()" ];
  ]

let of_values =
  let mvar_take = "mvar: two take, one is stopped, one puts" in
  let ivar_come = "ivar: one reads and gives up, two fill" in
  let gate_wait = "gates: an item comes, the one before ends twice" in
  let three = "barrier: two of three wait, one is stopped, one comes" in
  [
    mutant "a value goes to a taker who has given up, and is lost" ~caught_by:[ mvar_take ]
      [ swap "mvar.ml" "give v || hand_over m v" "(give v || true)" ];
    mutant "a value is taken from one that has given up putting it"
      ~caught_by:[ "mvar: two put, one is stopped, one takes" ]
      [ swap "mvar.ml" ~before:"if " "p.accept ()" "(ignore (p.accept () : bool); true)" ];
    mutant "a waiter that takes gets in line without another look"
      ~caught_by:[ "mvar: one puts, two take, one gives up" ]
      [ swap "mvar.ml" ~before:"let v = " "now ()" "None" ~after:" in\n    if Option.is_none v then" ];
    mutant "a place is filled by a plain set" ~caught_by:[ ivar_come ]
      [
        swap "write_once.ml" ~before:"when " "Atomic.compare_and_set d was (Full v)"
          "(ignore was; Atomic.set d (Full v); true)";
      ];
    mutant "a waiter of an ivar does not look whether it is full" ~caught_by:[ "ivar: one reads, one fills" ]
      [ swap "write_once.ml" ~before:"let joins = " "not (unless ())" "true" ];
    mutant "a waiter that fills a place wakes one"
      ~caught_by:[ "ivar: two read, one is stopped, one fills" ]
      [ swap "write_once.ml" ~before:"wake ();\n      " "wake_all queue" "()" ];
    mutant "a latch is counted down by a plain set"
      ~caught_by:[ "latch: one waits, one waits and is stopped, two count down" ]
      [
        swap "latch.ml" "Atomic.compare_and_set l.count count left" "(Atomic.set l.count left; true)"
          ~after:" then left";
      ];
    mutant "a waiter that is stopped in a computation leaves those that wait for it"
      ~caught_by:[ "once: one computes and is stopped, one waits, a resolver" ]
      [ swap "once.ml" ~before:"ignore (" "Write_once.put ended ()" "true" ];
    mutant "a waiter that leaves a barrier is still counted" ~caught_by:[ three ]
      [ swap "barrier.ml" "b.arrived <- b.arrived - 1" "()" ];
    mutant "a waiter that is stopped when the round is complete gives up" ~caught_by:[ three ]
      [ swap "barrier.ml" ~before:"when " "p.index >= 0" "false" ];
    mutant "a waiter that waits at a gate does so by a plain set" ~caught_by:[ gate_wait ]
      [ swap "gate.ml" "Atomic.compare_and_set g Shut (Awaited p)" "(Atomic.set g (Awaited p); true)" ];
    mutant "a waiter that opens a gate gets, then sets" ~caught_by:[ gate_wait ]
      [ swap "gate.ml" "Atomic.exchange g Open" "(let was = Atomic.get g in Atomic.set g Open; was)" ];
  ]

let all =
  List.concat
    [ of_channels; of_selects; of_turns; of_queues; of_fibers; of_cancelled_tasks; of_broadcasts; of_values ]
