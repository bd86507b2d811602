open Edit

let in_sleepers ?before ?after was now = swap "sleepers.ml" ?before ?after was now
let in_sleep ?before ?after was now = swap "sleep.ml" ?before ?after was now
let in_respawn ?before ?after was now = swap "respawn.ml" ?before ?after was now

let of_sleep =
  [
    mutant "no second look before sleeping"
      ~caught_by:[ "a push, one goes to sleep, real lock and deque"; "a push, two go to sleep" ]
      [ swap "worker_loop.ml" ~before:"(" "leaving || is_work_to_take w.parts" "leaving" ~after:") && Sleep" ];
    mutant "a worker that stops searching wakes nobody"
      ~caught_by:[ "two pushes, one searches, one sleeps"; "a push, a searcher leaves, one sleeps" ]
      [ in_sleep ~before:"if " "is_left t ~more" "false" ~after:" then wake_one" ];
    mutant "a push reads the wake word first" ~caught_by:[ "a push, two go to sleep" ]
      [
        (fun name ->
          edit "worker.ml" "  push_only w task;\n  if Deque_memory.wake w.deque <> 0"
            (Printf.sprintf
               "  let early = if Mutation.is %S then Deque_memory.wake w.deque else 0 in\n\
               \  push_only w task;\n\
               \  if (if Mutation.is %S then early else Deque_memory.wake w.deque) <> 0"
               name name));
      ];
    mutant "the wake word is written only when sleepers come"
      ~caught_by:[ "two pushes, one searches, one sleeps" ]
      [
        in_sleepers ~before:"s.status <- status;\n  t.listed <- listed;\n  " "updated t"
          "(if status = Idle then updated t)";
      ];
  ]

let of_retiring =
  [
    mutant "a worker retires although it was woken"
      ~caught_by:[ "two pushes, one retires, one sleeps"; "a submission, one retires" ]
      [ in_respawn ~before:"if " "s.status <> Idle" "false" ~after:" then Woken" ];
    mutant "a worker that is gone gets a token"
      ~caught_by:[ "a push, one retires"; "a push, one is gone, and goes again" ]
      [ in_respawn ~before:"| s :: _ when " "not s.is_retired" "true" ~after:" -> Some s" ];
    mutant "a retired worker is respawned before those that wait"
      ~caught_by:[ "two pushes, one retires, one sleeps" ]
      [ in_respawn "there @ (s :: gone) @ t.unable" "s :: (there @ gone @ t.unable)" ];
    mutant "if one cannot come, no other is respawned"
      ~caught_by:[ "a push, two are gone, one cannot come" ]
      [ in_respawn ~before:"if respawn t s ~to_search then Some s else " "somebody t ~to_search" "None" ];
    mutant "the spare retires"
      ~caught_by:[ "room for one: a submission, one joins, one retires"; "room shrinks, one retires" ]
      [ in_respawn ~before:"t.shut || " "(last && needs_spare t)" "false" ];
    mutant "a worker that begins to work does not see to a spare"
      ~caught_by:
        [
          "a timer is pending, a push, one sleeps, one retires";
          "room for one: a submission, one searches, one is gone";
          "room for one: a submission, one sleeps, one retires";
        ]
      [ in_sleep ~before:"move t s Working;\n      " "keep_spare t" "()" ];
    mutant "a worker that leaves does not see to a spare"
      ~caught_by:
        [ "a timer is pending, the last that waits leaves"; "room for one: the spare leaves, one is gone" ]
      [ in_sleep ~before:"updated t;\n      " "keep_spare t" "()" ~after:");\n  hand_on t ~more (woke s)" ];
    mutant "a worker that joins does not see to a spare"
      ~caught_by:[ "room for one: a submission, one joins, one retires" ]
      [
        in_sleep ~before:"updated t;\n      " "keep_spare t" "()"
          ~after:");\n  if !tries then hand_on t ~more (woke s)";
      ];
    mutant "a worker that changes the room does not see to a spare" ~caught_by:[ "room shrinks, one retires" ]
      [ in_sleep ~before:"t.room <- room;\n      updated t;\n      " "keep_spare t" "()" ];
    mutant "timers need no spare"
      ~caught_by:[ "a timer is pending, a push, one sleeps, one retires"; "a timer is added, two retire" ]
      [ in_respawn ~before:"is_full t || " "t.needs_alarm ()" "false" ];
    mutant "a worker that retires does not look at the timers again"
      ~caught_by:[ "a timer is added, one retires"; "a timer is added, two retire" ]
      [ in_respawn "(not (has_spare t)) && t.needs_alarm ()" "false" ];
    mutant "a worker that retires looks at the timers before it is marked"
      ~caught_by:[ "a timer is added, one retires" ]
      [
        (fun name ->
          edit "respawn.ml" "let mark_gone t s others =\n"
            (Printf.sprintf
               "let mark_gone t s others =\n\
               \  let early = Mutation.is %S && List.for_all (fun o -> o.is_retired) others && t.needs_alarm \
                () in\n"
               name));
        (fun name ->
          edit "respawn.ml" "  let stays = "
            (Printf.sprintf "  let stays = if Mutation.is %S then early else " name));
      ];
    mutant "a worker that waits and attends to timers is not counted"
      ~caught_by:[ "a timer is due, one that waits attends, one asks" ]
      [ in_sleep ~before:"active t = 0 && " "t.moving = 0" "true" ];
    mutant "a worker that adds a timer does not see to a spare" ~caught_by:[ "a timer is added, one retires" ]
      [ in_respawn ~before:"Lock.do_soon t.lock (fun () -> " "keep_spare t" "()" ];
  ]

let of_room =
  [
    mutant "wakers ignore the room"
      ~caught_by:[ "room for one: two submissions, one goes to sleep, one sleeps" ]
      [
        in_sleep ~before:"let wake_somebody t done_so =\n  ignore (try_the_unable t : bool);\n  if "
          "not (is_full t)" "true";
      ];
    mutant "a worker that found something after all ignores the room"
      ~caught_by:[ "room for one: one with a job steps down, one goes to sleep" ]
      [ in_sleep ~before:"leaving || " "not (is_full t)" "true" ];
    mutant "a worker that makes room wakes nobody" ~caught_by:[ "room grows, a push, one sleeps" ]
      [ in_sleep "hand_on t ~more ignore" "()" ~after:"\n\nlet looked" ];
    mutant "the wake word does not follow the room" ~caught_by:[ "room grows, a push, one sleeps" ]
      [ in_sleep ~before:"t.room <- room;\n      " "updated t" "()" ];
    mutant "a worker that leaves wakes nobody"
      ~caught_by:[ "a push, a searcher leaves, one sleeps"; "room for one: a call that leaves a job" ]
      [ in_sleep ~before:");\n  " "hand_on t ~more (woke s)" "()" ~after:"\n\nlet start_search" ];
    mutant "a worker that is one too many does not look before it sleeps"
      ~caught_by:[ "room for one: a submission, one of two steps down" ]
      [
        swap "worker_loop.ml" ~before:"w.index > 0 then " "sleep w ~until ~retire"
          "(Sleep.prepare_wait w.parts.sleepers w.sleeper; wait_and_go_on w ~until ~retire)";
      ];
    mutant "nobody steps down"
      ~caught_by:[ "room for one: one of two with a job each steps down" ]
      [ swap "worker_loop.ml" ~before:"if " "Sleep.is_over w.parts.sleepers" "false" ~after:" && w.index" ];
    mutant "nobody is woken by a worker that hands over its deque"
      ~caught_by:[ "room for one: one with a job steps down, one goes to sleep" ]
      [ swap "hand_over.ml" "Sleep.wake_one w.parts.sleepers ignore" "()" ~after:"\n  end" ];
    mutant "a pool looks idle while a worker hands over its deque"
      ~caught_by:[ "room for one: one has stepped down with a job, one sleeps, one asks" ]
      [
        swap "hand_over.ml"
          "Sleep.while_moving_jobs w.parts.sleepers (fun () -> leave_all w ~now (Deque.size w.deque))"
          "leave_all w ~now (Deque.size w.deque)";
      ];
    mutant "a worker that asks whether there is work asks before the lock is taken"
      ~caught_by:[ "room for one: one has stepped down with a job, one sleeps, one asks" ]
      [
        swap "worker.ml" ~before:"let is_idle parts = "
          "Sleep.all_listed parts.sleepers ~and_:(fun () -> not (is_work parts))"
          "((not (is_work parts)) && Sleep.all_listed parts.sleepers ~and_:(fun () -> true))";
      ];
    mutant "nobody is to look while the room is full"
      ~caught_by:[ "room for one: a submission, one searches, one is gone" ]
      [ in_sleepers ~before:"let is_to_be_watched t = " "active t >= 1" "active t >= 2" ];
  ]

let all = of_sleep @ of_retiring @ of_room
