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
          ~after:" then told";
      ];
    mutant "a message goes to a receiver who has given up"
      ~caught_by:[ two_receivers; "a sender, a receiver that gives up" ]
      [
        swap "channel.ml" ~before:"    Line.remove place;\n      " "given" "(ignore given; true)"
          ~after:" || give_first";
      ];
    mutant "a message is taken from a sender who has given up" ~caught_by:[ two_senders; threads ]
      [ swap "channel.ml" ~before:"if " "taken" "(ignore taken; true)" ~after:" then s.message" ];
    mutant "who gives up stays in line" ~caught_by:[ receiver_comes; sender_comes ]
      [
        swap "channel.ml" ~before:"let leave () = " "Guard.protect c.guard (fun () -> Line.remove place)" "()";
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
        swap "channel.ml" ~before:"if " "Line.is_empty c.senders" "true"
          ~after:" then Ring.drop c.ring else drop_and_refill c";
      ];
    mutant "a fiber that is stopped waits all the same" ~caught_by:[ receiver_comes; sender_comes ]
      [
        swap "fiber.ml" ~before:"| Stopped exn -> " "Some exn" "None"
          ~after:"\n        | Fine | Failing _ -> if cas_state f Marked";
      ];
  ]

let of_turns =
  let mutex = "mutex: a holder, two wait, one is stopped, a thief" in
  let semaphore = "semaphore: a holder, two wait, one is stopped" in
  let two_mutex = "mutex: two come, one gives up" in
  let two_semaphore = "semaphore: two come, one gives up" in
  [
    mutant "a turn goes to a waiter who has given up, and is lost" ~caught_by:[ mutex; semaphore ]
      [
        swap "turns.ml" ~before:"turn.given <- "
          "Cell.wake turn.cell turn.value || Cell.is_woken_with turn.cell turn.value"
          "(ignore (Cell.wake turn.cell turn.value); true)";
        swap "turns.ml" ~before:"let given = " "turn.given" "false";
      ];
    mutant "a mutex is locked by a plain set" ~caught_by:[ two_mutex ]
      [
        swap "mutexes.ml"
          ~before:"let[@inline] lock_as ?timeout m what =\n  let me = Context.owner () in\n  if not ("
          "Atomic.compare_and_set m.state free me"
          "(Atomic.get m.state == free && (Atomic.set m.state me; true))" ~after:")";
      ];
    mutant "a mutex is unlocked by a plain set" ~caught_by:[ two_mutex ]
      [
        swap "mutexes.ml" "Atomic.compare_and_set m.state (Context.owner ()) free"
          "(Atomic.get m.state == Context.owner () && (Atomic.set m.state free; true))" ~after:" || hand_over";
      ];
    mutant "a mutex gets queued by a plain set" ~caught_by:[ two_mutex ]
      [ swap "mutexes.ml" "Atomic.compare_and_set m.state s queued" "(Atomic.set m.state queued; true)" ];
    mutant "who hands a mutex over does not note its holder" ~caught_by:[ mutex ]
      [ swap "mutexes.ml" "m.holder <- Turns.about turn" "ignore (Turns.about turn)" ];
    mutant "a semaphore's unit is taken by a plain set" ~caught_by:[ two_semaphore ]
      [
        swap "semaphores.ml" ~before:"let rec take_unit s =\n  let n = Atomic.get s.state in\n  n > 0 && ("
          "Atomic.compare_and_set s.state n (n - 1)" "(Atomic.set s.state (n - 1); true)";
      ];
    mutant "a semaphore's unit is put back by a plain set" ~caught_by:[ two_semaphore ]
      [ swap "semaphores.ml" "Atomic.compare_and_set s.state n (n + 1)" "(Atomic.set s.state (n + 1); true)" ];
    mutant "a semaphore gets queued by a plain set" ~caught_by:[ two_semaphore ]
      [ swap "semaphores.ml" "Atomic.compare_and_set s.state n queued" "(Atomic.set s.state queued; true)" ];
    mutant "a semaphore's unit is not counted when it is given" ~caught_by:[ semaphore ]
      [ swap "semaphores.ml" "s.units <- s.units - 1" "()" ];
    mutant "who enters a mutex does not serve" ~caught_by:[ two_mutex ]
      [ swap "mutexes.ml" ~before:"if not p.misuse then " "serve m" "()" ~after:"\n\nlet leaving" ];
    mutant "who enters a semaphore does not serve" ~caught_by:[ two_semaphore ]
      [ swap "semaphores.ml" ~before:"if Turns.is_new turn then Line.add s.line turn;\n  " "serve s" "()" ];
    mutant "who leaves a semaphore's line does not serve" ~caught_by:[ semaphore ]
      [ swap "semaphores.ml" ~before:"s.units <- s.units + 1;\n  " "serve s" "()" ~after:"\n\nlet releasing" ];
    mutant "who leaves a mutex's line does not serve" ~caught_by:[ mutex ]
      [ swap "mutexes.ml" ~before:"m.holder <- free;\n  " "serve m" "()" ~after:"\n\nlet unlocking" ];
  ]

let all = of_channels @ of_turns
