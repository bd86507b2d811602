open Support
module Chan = Weft.Chan
module Mutex = Weft.Mutex
module Promise = Weft.Promise
module Select = Weft.Select

let drain c =
  let rec all found = match Chan.recv_poll c with Some m -> all (m :: found) | None -> List.rev found in
  all []

(* --- selects that need not wait --- *)

let one_effect () =
  let a = Chan.bounded 2 and b = Chan.bounded 2 and full = Chan.bounded 1 in
  Chan.send full 0;
  let pending : int Promise.t = Promise.create () in
  for _ = 1 to 200 do
    Chan.send a 1;
    let got =
      Select.select
        [
          Select.recv a (fun m -> `Received m);
          Select.send b 2 (fun () -> `Sent);
          Select.send full 3 (fun () -> `Full);
          Select.await pending (fun _ -> `Pending);
          Select.timeout 0. (fun () -> `Timeout);
        ]
    in
    match (got, drain a, drain b) with
    | `Received 1, [], [] | `Sent, [ 1 ], [ 2 ] -> ()
    | _ -> Alcotest.fail "not exactly one case was done"
  done;
  check_bool "untouched" true (drain full = [ 0 ])

let kinds () =
  let c = Chan.bounded 1 in
  check_int "send" 7 (Select.select [ Select.send c 3 (fun () -> 7) ]);
  check_int "recv" 4 (Select.select [ Select.recv c succ ]);
  check_int "await" 6 (Select.select [ Select.recv c succ; Select.await (Promise.of_value 5) succ ]);
  check_int "timeout" 8
    (Select.select [ Select.recv c succ; Select.timeout 0. (fun () -> 8); Select.timeout 1e9 (fun () -> 9) ]);
  let failed = Promise.create () in
  Promise.reject failed (Planned 1);
  Alcotest.check_raises "a rejected promise" (Planned 1) (fun () ->
      Select.select [ Select.recv c ignore; Select.await failed ignore ]);
  Alcotest.check_raises "what the function raises" (Planned 2) (fun () ->
      Select.select [ Select.send c 1 (fun () -> raise (Planned 2)) ]);
  check_bool "its case was done" true (drain c = [ 1 ]);
  Chan.close c;
  Alcotest.check_raises "closed: send" Chan.Closed (fun () -> Select.select [ Select.send c 1 ignore ]);
  Alcotest.check_raises "closed: recv" Chan.Closed (fun () -> Select.select [ Select.recv c ignore ]);
  raises_invalid "of nothing" "Weft.Select.select: " (fun () -> Select.select [])

let polls () =
  let c = Chan.bounded 1 in
  check_bool "of nothing" true (Select.poll [] = None);
  check_bool "not now" true (Select.poll [ Select.recv c Fun.id; Select.timeout 0. (fun () -> 1) ] = None);
  check_bool "now" true (Select.poll [ Select.recv c Fun.id; Select.send c 2 (fun () -> 3) ] = Some 3);
  check_bool "now" true (Select.poll [ Select.recv c Fun.id; Select.send c 2 (fun () -> 3) ] = Some 2);
  check_bool "nothing left" true (drain c = [])

let fair () =
  let ready i = Select.await (Promise.of_value i) Fun.id in
  let never = Select.recv (Chan.bounded 1) Fun.id in
  let n = 9000 in
  let counts cases =
    let counts = Array.make 3 0 in
    for _ = 1 to n do
      let i = Select.select cases in
      counts.(i) <- counts.(i) + 1
    done;
    counts
  in
  (* Six standard deviations are 270 and 285. *)
  Array.iter
    (fun count -> if abs (count - (n / 3)) > 270 then Alcotest.failf "%d of %d, for one in three" count n)
    (counts [ ready 0; ready 1; never; never; never; ready 2 ]);
  let pair = counts [ ready 0; never; ready 1 ] in
  if abs (pair.(0) - (n / 2)) > 285 then Alcotest.failf "%d of %d, for one in two" pair.(0) n

(* --- waiting --- *)

let woken_by_each () =
  in_each_size @@ fun () ->
  for _ = 1 to 50 do
    let inbox = Chan.bounded 0 and outbox = Chan.bounded 0 and promise = Promise.create () in
    let start () =
      Weft.async (fun () ->
          Select.select
            [
              Select.recv inbox (fun m -> `Received m);
              Select.send outbox 1 (fun () -> `Sent);
              Select.await promise (fun v -> `Awaited v);
            ])
    in
    let p = start () in
    Chan.send inbox 2;
    check_bool "received" true (Weft.await p = `Received 2);
    let p = start () in
    check_int "its message" 1 (Chan.recv outbox);
    check_bool "sent" true (Weft.await p = `Sent);
    let p = start () in
    Promise.resolve promise 3;
    check_bool "awaited" true (Weft.await p = `Awaited 3);
    check_bool "nobody is left" true ((not (Chan.send_poll inbox 4)) && Chan.recv_poll outbox = None)
  done

let woken_by_closing () =
  in_each_size @@ fun () ->
  let inbox : int Chan.t = Chan.bounded 0 and outbox = Chan.bounded 0 in
  let start () =
    Weft.async (fun () ->
        match Select.select [ Select.recv inbox ignore; Select.send outbox 1 ignore ] with
        | () -> false
        | exception Chan.Closed -> true)
  in
  let ps = List.init 10 (fun _ -> start ()) in
  Weft.yield ();
  Chan.close inbox;
  List.iter (fun p -> check_bool "closed" true (Weft.await p)) ps;
  check_bool "nobody is left" true (Chan.recv_poll outbox = None)

let tasks_and_failures () =
  in_each_size @@ fun () ->
  let idle : int Chan.t = Chan.bounded 1 in
  let first ps = Select.select (Select.recv idle Fun.id :: List.map (fun p -> Select.await p Fun.id) ps) in
  let slow = Promise.create () in
  check_int "the first task to end" 2
    (first [ Weft.async (fun () -> Weft.await slow); Weft.async (fun () -> 2) ]);
  Alcotest.check_raises "a task that fails" (Planned 3) (fun () ->
      ignore (first [ Weft.async (fun () -> raise (Planned 3)); slow ]));
  Promise.resolve slow 1;
  check_int "promises can be awaited again" 1 (first [ slow ])

(* Another domain settles the promise while the select looks, takes its place, or waits. *)
let settled_meanwhile () =
  Weft.run ~domains:2 @@ fun () ->
  let idle : int Chan.t = Chan.bounded 1 and n = Testing.Effort.few 50_000 in
  let promises = Array.init n (fun _ -> Promise.create ()) and reached = Atomic.make 0 in
  let (), sum =
    Weft.par
      (fun () ->
        for i = 0 to n - 1 do
          while Atomic.get reached < i do
            Domain.cpu_relax ();
            if i land 1023 = 0 then Weft.yield ()
          done;
          spin (i land 127);
          Promise.resolve promises.(i) i
        done)
      (fun () ->
        let sum = ref 0 in
        for i = 0 to n - 1 do
          Atomic.set reached i;
          sum := !sum + Select.select [ Select.recv idle Fun.id; Select.await promises.(i) Fun.id ]
        done;
        !sum)
  in
  check_int "sum" (n * (n - 1) / 2) sum

let outside () =
  List.iter
    (fun spawn ->
      let c = Chan.bounded 0 and stop = Promise.create () in
      let join =
        spawn (fun () ->
            let rec serve sum =
              match Select.select [ Select.await stop (fun () -> None); Select.recv c Option.some ] with
              | Some m -> serve (sum + m)
              | None -> check_int "all received" 5050 sum
            in
            serve 0)
      in
      for i = 1 to 100 do
        Chan.send c i
      done;
      Promise.resolve stop ();
      join ())
    [ Chans.thread; Chans.domain; Chans.fiber ]

(* --- lines --- *)

let takes_its_place () =
  Weft.run ~domains:1 @@ fun () ->
  let c = Chan.bounded 0 and other : int Chan.t = Chan.bounded 0 in
  let plain () = start_waiting (fun () -> Chan.recv c)
  and selecting () =
    start_waiting (fun () -> Select.select [ Select.recv other Fun.id; Select.recv c Fun.id ])
  in
  let a = plain () in
  let b = selecting () in
  let d = plain () in
  for i = 1 to 3 do
    check_bool "somebody waits" true (Chan.send_poll c i)
  done;
  check_bool "in the order of their coming" true (List.map Weft.await [ a; b; d ] = [ 1; 2; 3 ])

(* A select that was served in one queue is skipped in the others. *)
let passed_over () =
  Weft.run ~domains:1 @@ fun () ->
  let c = Chan.bounded 0 and other = Chan.bounded 0 in
  let a = start_waiting (fun () -> Select.select [ Select.recv other Fun.id; Select.recv c Fun.id ]) in
  let b = start_waiting (fun () -> Chan.recv c) in
  check_bool "served" true (Chan.send_poll other 1);
  (* The served select has not run since. *)
  check_bool "its place is the next one's" true (Chan.send_poll c 2);
  check_bool "nobody else" false (Chan.send_poll c 3);
  check_bool "each got its message" true (Weft.await a = 1 && Weft.await b = 2)

let same_channel_twice () =
  in_each_size @@ fun () ->
  (* Each select sends and receives: it is never served by itself, always by another. *)
  let c = Chan.bounded 0 in
  let n = 100 in
  let exchange i =
    Select.select [ Select.send c i (fun () -> `Sent i); Select.recv c (fun m -> `Received m) ]
  in
  let results = List.map Weft.await (List.init n (fun i -> Weft.async (fun () -> (i, exchange i)))) in
  let sent = List.filter_map (function _, `Sent i -> Some i | _ -> None) results
  and received =
    List.filter_map (function i, `Received m -> if i = m then None else Some m | _ -> None) results
  in
  check_int "half of them" (n / 2) (List.length sent);
  check_bool "what was sent was received" true (List.sort compare sent = List.sort compare received)

let words x = Obj.reachable_words (Obj.repr x)

let no_trace () =
  let idle : int Chan.t = Chan.bounded 1 and never : int Promise.t = Promise.create () in
  let held = Mutex.create () in
  Weft.run ~domains:2 @@ fun () ->
  let over = Promise.create () in
  let begun = Promise.create () in
  let holder =
    Weft.async (fun () ->
        Mutex.protect held (fun () ->
            Promise.resolve begun ();
            Weft.await over))
  in
  Weft.await begun;
  let c = Chan.bounded 0 and n = 20_000 in
  let send_all () =
    for i = 1 to n do
      Chan.send c i
    done
  in
  let receive_all () =
    let sum = ref 0 in
    for _ = 1 to n do
      sum :=
        !sum
        + Select.select
            [
              Select.recv idle Fun.id;
              Select.recv c Fun.id;
              Select.await never Fun.id;
              Select.lock held (fun () -> 0);
            ]
    done;
    !sum
  in
  (* The mutex records its holder, a fiber, from which all of the pool can be reached: its queues, too, which may be
     long for a moment. *)
  let room () = words idle + words never + words held in
  Testing.Watchdog.until_undisturbed "no select leaves anything" (fun () ->
      let before = room () in
      let (), sum = Weft.par send_all receive_all in
      check_int "sum" (n * (n + 1) / 2) sum;
      let left = room () - before in
      if left > 1000 then Error (Printf.sprintf "%d words are left of %d selects" left n) else Ok ());
  Promise.resolve over ();
  Weft.await holder;
  let p = Weft.async (fun () -> 5) in
  ignore (Select.select [ Select.await p Fun.id; Select.timeout 0. (fun () -> 6) ]);
  check_int "its value" 5 (Weft.await p)

(* If each select removed itself alone, it would search all that are still there. *)
let many_leave () =
  let n = if deep < 1_000_000 then 5_000 else 100_000 in
  in_each_size @@ fun () ->
  let stopped = Promise.create () and work = Chan.bounded 0 in
  let select () = Select.select [ Select.await stopped Fun.id; Select.recv work Fun.id ] in
  Weft.Scope.run @@ fun scope ->
  let sums = List.init n (fun _ -> Weft.Scope.async scope select) in
  for i = 1 to n do
    Chan.send work i
  done;
  check_int "what was sent" (n * (n + 1) / 2) (List.fold_left (fun sum p -> sum + Weft.await p) 0 sums);
  Promise.resolve stopped 0

(* --- selects that meet --- *)

let rotated k l =
  let n = List.length l in
  List.init n (fun i -> List.nth l ((i + k) mod n))

(* Both sides have equally many selects, on channels without a buffer: each select of one side meets one of
   the other. *)
let pairs ~spawn ~players ~rounds ~channels =
  let to_right = List.init channels (fun _ -> Chan.bounded 0)
  and to_left = List.init channels (fun _ -> Chan.bounded 0) in
  let sent = Atomic.make 0 and received = Atomic.make 0 and count = Atomic.make 0 in
  let add total v = ignore (Atomic.fetch_and_add total v) in
  let player outs ins who () =
    for r = 1 to rounds do
      let v = (who * rounds) + r in
      let sends = List.map (fun c -> Select.send c v (fun () -> add sent v)) outs
      and receives =
        List.map
          (fun c ->
            Select.recv c (fun v ->
                add received v;
                Atomic.incr count))
          ins
      in
      Select.select (rotated (r + who) (if who land 1 = 0 then sends @ receives else receives @ sends))
    done
  in
  let joins =
    List.concat
      (List.init players (fun i ->
           [
             spawn (player to_right to_left (2 * i));
             spawn (player (List.rev to_left) (List.rev to_right) ((2 * i) + 1));
           ]))
  in
  List.iter (fun join -> join ()) joins;
  check_int "one message for two selects" (players * rounds) (Atomic.get count);
  check_int "sum" (Atomic.get sent) (Atomic.get received);
  List.iter (fun c -> check_bool "nobody is left" true (Chan.recv_poll c = None)) (to_right @ to_left)

let meeting () =
  in_each_size @@ fun () ->
  pairs ~spawn:Chans.fiber ~players:1 ~rounds:2000 ~channels:1;
  pairs ~spawn:Chans.fiber ~players:1 ~rounds:2000 ~channels:2;
  pairs ~spawn:Chans.fiber ~players:8 ~rounds:300 ~channels:3

let meeting_outside () =
  pairs ~spawn:Chans.thread ~players:2 ~rounds:300 ~channels:2;
  pairs ~spawn:Chans.domain ~players:2 ~rounds:1000 ~channels:2

(* Channels of all capacities, with plain senders and receivers in between, until a promise ends
   everything. *)
let crowd () =
  in_each_size @@ fun () ->
  let channels = [| Chan.bounded 0; Chan.bounded 1; Chan.bounded 3; Chan.unbounded () |] in
  let stop = Promise.create () in
  let sent = Atomic.make 0 and received = Atomic.make 0 and events = Atomic.make 0 in
  let add total v =
    ignore (Atomic.fetch_and_add total v);
    if Atomic.fetch_and_add events 1 = 20_000 then Promise.resolve stop ()
  in
  let send c v =
    Select.send c v (fun () ->
        add sent v;
        true)
  and recv c =
    Select.recv c (fun v ->
        add received v;
        true)
  in
  let player seed () =
    let random = Random.State.make [| seed |] in
    let case _ =
      let c = channels.(Random.State.int random 4) in
      if Random.State.bool random then send c (1 + Random.State.int random 1000) else recv c
    in
    let rec play () =
      let cases =
        (* The first two always can send or receive something: they keep the others going. *)
        if seed < 2 then List.concat_map (fun c -> [ send c 1; recv c ]) (Array.to_list channels)
        else List.init (1 + Random.State.int random 4) case
      in
      if Select.select (Select.await stop (fun () -> false) :: cases) then begin
        if Random.State.int random 10 = 0 then Weft.yield ();
        play ()
      end
    in
    play ()
  in
  let players = List.init 12 (fun i -> Weft.async (player i)) in
  let plain =
    (* Moves messages between two channels; ends when they are closed. *)
    List.init 3 (fun i ->
        Weft.async (fun () ->
            try
              Chan.iter
                (fun v ->
                  add received v;
                  Chan.send channels.(i) v;
                  add sent v)
                channels.(i + 1)
            with Chan.Closed -> ()))
  in
  List.iter Weft.await players;
  Array.iter Chan.close channels;
  List.iter Weft.await plain;
  let left = Array.fold_left (fun sum c -> List.fold_left ( + ) sum (drain c)) 0 channels in
  check_int "sum" (Atomic.get sent) (Atomic.get received + left)

(* --- mutexes --- *)

let free what m =
  check_bool what true (Mutex.try_lock m);
  Mutex.unlock m

let locks () =
  in_each_size @@ fun () ->
  let m = Mutex.create () and n = Mutex.create () and c = Chan.bounded 0 in
  let locked m k () =
    Mutex.unlock m;
    k
  in
  check_int "free" 1 (Select.select [ Select.recv c Fun.id; Select.lock m (locked m 1) ]);
  Mutex.lock m;
  check_int "the other" 2 (Select.select [ Select.lock m (locked m 1); Select.lock n (locked n 2) ]);
  let room = words c in
  for _ = 1 to 20 do
    raises_invalid "its own" "Weft.Select.lock: " (fun () ->
        Select.select [ Select.recv c Fun.id; Select.lock m (locked m 1) ])
  done;
  check_int "nothing is left" room (words c);
  let waiting =
    start_waiting (fun () -> Select.select [ Select.recv c Fun.id; Select.lock m (locked m 1) ])
  in
  Mutex.unlock m;
  check_int "when it is unlocked" 1 (Weft.await waiting);
  Mutex.lock m;
  let waiting =
    start_waiting (fun () -> Select.select [ Select.recv c Fun.id; Select.lock m (locked m 1) ])
  in
  Chan.send c 3;
  check_int "something else came first" 3 (Weft.await waiting);
  Mutex.unlock m;
  free "nobody holds it" m;
  (* The select has the same case twice. *)
  Mutex.lock m;
  let both = [ Select.lock m (locked m 1); Select.recv c Fun.id; Select.lock m (locked m 1) ] in
  let waiting = start_waiting (fun () -> Select.select both) in
  Mutex.unlock m;
  check_int "once" 1 (Weft.await waiting);
  free "nobody holds it" m

(* Mutexes and messages in selects that also give up: the holder of a mutex is alone, and no mutex stays
   locked. *)
let locks_in_a_crowd () =
  in_each_size @@ fun () ->
  let mutexes = Array.init 2 (fun _ -> Mutex.create ()) and inside = Array.make 2 0 in
  let c = Chan.bounded 0 and sent = Atomic.make 0 and received = Atomic.make 0 and locked = Atomic.make 0 in
  let player seed () =
    let random = Random.State.make [| seed |] in
    for _ = 1 to 500 do
      let lock i =
        Select.lock mutexes.(i) (fun () ->
            inside.(i) <- inside.(i) + 1;
            let mine = inside.(i) in
            Atomic.incr locked;
            Fun.protect
              ~finally:(fun () -> Mutex.unlock mutexes.(i))
              (fun () ->
                (* The fiber may be cancelled here. *)
                if Random.State.bool random then Weft.yield ();
                check_int "alone" mine inside.(i)))
      in
      let others =
        [
          Select.send c 1 (fun () -> Atomic.incr sent);
          Select.recv c (fun _ -> Atomic.incr received);
          Select.timeout (Random.State.float random 0.0001) ignore;
        ]
      in
      let cases = lock 0 :: lock 1 :: List.filter (fun _ -> Random.State.bool random) others in
      match Random.State.int random 4 with
      | 0 -> (
          try Weft.Cancel.with_timeout 0.00005 (fun () -> Select.select cases)
          with Weft.Cancel.Timeout -> ())
      | 1 -> Mutex.protect mutexes.(Random.State.int random 2) Weft.yield
      | _ -> Select.select cases
    done
  in
  List.iter Weft.await (List.init 8 (fun i -> Weft.async (player i)));
  check_int "messages" (Atomic.get sent) (Atomic.get received);
  check_int "no lock was lost" (Atomic.get locked) (inside.(0) + inside.(1));
  Array.iter (free "nobody holds it") mutexes

let tests =
  [
    case "of the cases that can be done, one is" one_effect;
    case "each kind of case" kinds;
    case "polls do what can be done at once" polls;
    case "which case is done is up to chance" fair;
    case "each kind of case ends a wait" woken_by_each;
    case "closing ends a wait" woken_by_closing;
    case "tasks end a wait, also with an exception" tasks_and_failures;
    case "a promise settled at any moment ends a wait" settled_meanwhile;
    case "threads, domains and fibers select" outside;
    case "a select stands in line like others" takes_its_place;
    case "a select that is served is passed over elsewhere" passed_over;
    case "a select is not served by itself" same_channel_twice;
    case "cases that lost leave no trace" no_trace;
    case "a hundred thousand selects leave one promise" many_leave;
    case "two selects serve each other" meeting;
    case "two selects serve each other, outside pools" meeting_outside;
    case "mutexes" locks;
    case "no mutex stays locked in a crowd of selects" locks_in_a_crowd;
    case "no message is lost in a crowd of selects" crowd;
  ]
