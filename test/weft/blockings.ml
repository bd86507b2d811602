open Support
module Blocking = Weft_sched.Blocking
module Pool = Weft.Pool
module Promise = Weft.Promise
module Task_local = Weft.Local.Task_local

(* --- what tests need --- *)

let rec until ?(tries = 5_000) what holds =
  if not (holds ()) then
    if tries = 0 then Alcotest.failf "never: %s" what
    else begin
      Unix.sleepf 0.001;
      until ~tries:(tries - 1) what holds
    end

let with_limit n test =
  let before = Blocking.limit () in
  (* No helpers of before, who would be more than there may be now. *)
  Blocking.set_limit n;
  Fun.protect ~finally:(fun () -> Blocking.set_limit before) @@ fun () ->
  until "fewer helpers" (fun () -> Blocking.helpers () = 0);
  test ()

(* Blocks its helper until it is opened. *)
module Gate = struct
  type t = { mutex : Mutex.t; opened : Condition.t; mutable is_open : bool }

  let create () = { mutex = Mutex.create (); opened = Condition.create (); is_open = false }

  let wait g =
    Mutex.protect g.mutex (fun () ->
        while not g.is_open do
          Condition.wait g.opened g.mutex
        done)

  let open_ g =
    Mutex.protect g.mutex (fun () ->
        g.is_open <- true;
        Condition.broadcast g.opened)

  (* Opened at the end, so that a test that fails does not hang. *)
  let with_ test =
    let g = create () in
    Fun.protect ~finally:(fun () -> open_ g) (fun () -> test g)
end

(* How many are inside at a time, at most. *)
module Crowd = struct
  type t = { inside : int Atomic.t; most : int Atomic.t }

  let create () = { inside = Atomic.make 0; most = Atomic.make 0 }

  let rec note_most c n =
    let most = Atomic.get c.most in
    if n > most && not (Atomic.compare_and_set c.most most n) then note_most c n

  let within c f =
    note_most c (1 + Atomic.fetch_and_add c.inside 1);
    Fun.protect ~finally:(fun () -> Atomic.decr c.inside) f
end

let seconds f =
  let start = Unix.gettimeofday () in
  f ();
  Unix.gettimeofday () -. start

let mentions part text =
  let n = String.length part in
  let rec at i = i + n <= String.length text && (String.sub text i n = part || at (i + 1)) in
  at 0

let this_thread () = Thread.id (Thread.self ())
let none_in_progress () = until "no call in progress" (fun () -> Blocking.in_progress () = 0)

(* --- results --- *)

let returns_and_raises () =
  let me = this_thread () in
  check_int "outside: the caller's own thread" me (Weft.blocking this_thread);
  Alcotest.check_raises "outside: raises" (Planned 1) (fun () -> Weft.blocking (fun () -> raise (Planned 1)));
  in_each_size @@ fun () ->
  check_int "value" 7 (Weft.blocking (fun () -> 7));
  Alcotest.check_raises "exception" (Planned 2) (fun () -> Weft.blocking (fun () -> raise (Planned 2)));
  (* Of all the threads, none that works for the pool. *)
  let worker () = Option.is_some (Pool.current ()) in
  Alcotest.(check bool) "no worker" false (Weft.blocking worker);
  Alcotest.(check bool) "a worker again" true (worker ())

let rec fails_deep_down n = if n = 0 then raise (Planned 3) else 1 + fails_deep_down (n - 1)

let backtraces () =
  let before = Printexc.backtrace_status () in
  Printexc.record_backtrace true;
  Fun.protect ~finally:(fun () -> Printexc.record_backtrace before) @@ fun () ->
  (* A host of now, that records them. *)
  until "no host" (fun () -> not (Blocking.has_host ()));
  Weft.run ~domains:2 @@ fun () ->
  match Weft.blocking (fun () -> fails_deep_down 3) with
  | _ -> Alcotest.fail "no exception"
  | exception Planned 3 ->
      let text = Printexc.get_backtrace () in
      let mine = List.filter (fun line -> mentions "blockings.ml" line) (String.split_on_char '\n' text) in
      if List.length mine < 4 then Alcotest.failf "the backtrace is %S" text

let thread_exit () =
  in_each_size @@ fun () ->
  (match Weft.blocking (fun () -> (Thread.exit () [@alert "-deprecated"])) with
  | () -> Alcotest.fail "Thread.exit returned"
  | exception Thread.Exit -> ());
  check_int "the next call" 1 (Weft.blocking (fun () -> 1))

let bindings () =
  in_each_size @@ fun () ->
  let key = Task_local.create ~default:0 in
  let get () = Task_local.get key in
  check_int "default" 0 (Weft.blocking get);
  Task_local.with_value key 5 (fun () ->
      check_int "the caller's" 5 (Weft.blocking get);
      check_int "inner" 6 (Weft.blocking (fun () -> Task_local.with_value key 6 get));
      check_int "afterwards" 5 (get ());
      (match Weft.blocking (fun () -> Task_local.with_value key 6 (fun () -> raise Exit)) with
      | () -> ()
      | exception Exit -> check_int "after an exception" 5 (get ()));
      check_int "and of what it starts" 5 (Weft.blocking (fun () -> Weft.await (Weft.async get))));
  check_int "nothing is left behind" 0 (Weft.blocking get)

let an_outside_caller () =
  in_each_size @@ fun () ->
  let both () =
    Weft.blocking (fun () ->
        let (a, b), c =
          (Weft.par (fun () -> fib 10) (fun () -> fib 11), Weft.await (Weft.async (fun () -> fib 12)))
        in
        a + b + c)
  in
  let expected = fib_of 10 + fib_of 11 + fib_of 12 in
  check_int "par and async" expected (both ());
  List.iter (check_int "many at once" expected) (Weft.all (List.init 20 (fun _ -> both)));
  (* The fiber of this pool resolves what the helper waits for, and the other way round. *)
  let question = Promise.create () and answer = Promise.create () in
  let call =
    Weft.async (fun () -> Weft.blocking (fun () -> Promise.resolve answer (1 + Weft.await question)))
  in
  Weft.yield ();
  Promise.resolve question 1;
  check_int "answer" 2 (Weft.await answer);
  Weft.await call;
  check_int "nested" 3
    (Weft.blocking (fun () -> Weft.blocking (fun () -> Weft.run (fun () -> Weft.blocking (fun () -> 3)))))

(* --- workers go on --- *)

let sleep = 0.2

let hundred_sleeps () =
  ignore (Weft.all (List.init 100 (fun _ () -> Weft.blocking (fun () -> Unix.sleepf sleep))))

let overlap () =
  Pool.with_pool ~domains:2 @@ fun p ->
  let took = seconds (fun () -> Pool.run p hundred_sleeps) in
  if took > 10. *. sleep then Alcotest.failf "100 sleeps took %.2f s" took;
  if took < sleep then Alcotest.failf "a sleep took %.2f s" took

(* Both workers always have something to do while [f ()] runs. *)
let while_busy f =
  Weft.run ~domains:2 @@ fun () ->
  let stop = Atomic.make false in
  let rec busy () =
    if not (Atomic.get stop) then begin
      ignore (fib 12);
      Weft.yield ();
      busy ()
    end
  in
  let computing = List.init 4 (fun _ -> Weft.async busy) in
  Fun.protect ~finally:(fun () -> Atomic.set stop true) f;
  List.iter Weft.await computing

let overlap_while_busy () =
  let took = seconds (fun () -> while_busy hundred_sleeps) in
  if took > 10. *. sleep then Alcotest.failf "100 sleeps took %.2f s" took

let no_waiting_for_workers () =
  (* A thread in a worker's domain would wait 50 ms for each. *)
  let call _ = Weft.blocking (fun () -> Unix.sleepf 1e-6) in
  let took = seconds (fun () -> while_busy (fun () -> List.iter call (List.init 60 Fun.id))) in
  if took > 1.5 then Alcotest.failf "60 short calls took %.2f s" took

let one_worker_goes_on () =
  Weft.run ~domains:1 @@ fun () ->
  Gate.with_ @@ fun gate ->
  let call = Weft.async (fun () -> Weft.blocking (fun () -> Gate.wait gate)) in
  Weft.yield ();
  (* Only this worker can open it. *)
  check_int "work" (fib_of 15) (fib 15);
  Gate.open_ gate;
  Weft.await call

(* --- limits --- *)

let bounded () =
  List.iter
    (fun limit ->
      with_limit limit @@ fun () ->
      in_each_size @@ fun () ->
      let crowd = Crowd.create () and too_many = Atomic.make 0 in
      let call _ () =
        Weft.blocking (fun () ->
            Crowd.within crowd (fun () -> Unix.sleepf 0.0005);
            if Blocking.helpers () > limit then Atomic.incr too_many)
      in
      ignore (Weft.all (List.init 200 call));
      check_int "more helpers than the limit" 0 (Atomic.get too_many);
      let most = Atomic.get crowd.most in
      if most > limit then Alcotest.failf "%d at once, the limit is %d" most limit)
    [ 1; 3 ]

let as_many_as_allowed () =
  (* They all wait for the last. *)
  let limit = 20 in
  with_limit limit @@ fun () ->
  in_each_size @@ fun () ->
  let gate = Gate.create () and inside = Atomic.make 0 in
  let call _ () =
    Weft.blocking (fun () ->
        if 1 + Atomic.fetch_and_add inside 1 = limit then Gate.open_ gate else Gate.wait gate)
  in
  ignore (Weft.all (List.init limit call))

let first_come_first_served () =
  with_limit 1 @@ fun () ->
  List.iter
    (fun domains ->
      Weft.run ~domains @@ fun () ->
      Gate.with_ @@ fun gate ->
      let served = ref [] and taken = Atomic.make false in
      let first =
        Weft.async (fun () ->
            Weft.blocking (fun () ->
                Atomic.set taken true;
                Gate.wait gate))
      in
      until "the only helper is taken" (fun () ->
          Weft.yield ();
          Atomic.get taken);
      (* One after the other: each is in line before the next one starts. *)
      let calls =
        List.init 100 (fun i ->
            let p = Weft.async (fun () -> Weft.blocking (fun () -> served := i :: !served)) in
            until "in line" (fun () ->
                Weft.yield ();
                Blocking.in_progress () = i + 2);
            p)
      in
      Gate.open_ gate;
      List.iter Weft.await (first :: calls);
      Alcotest.(check (list int)) "in order" (List.init 100 Fun.id) (List.rev !served))
    [ 1; 2 ]

let many_short_calls () =
  in_each_size @@ fun () ->
  let sum =
    Weft.all
      (List.init 100 (fun i () ->
           let rec go j acc = if j = 100 then acc else go (j + 1) (acc + Weft.blocking (fun () -> i + j)) in
           go 0 0))
  in
  check_int "sum" 990_000 (List.fold_left ( + ) 0 sum);
  none_in_progress ()

let more_calls_than_threads () =
  in_each_size @@ fun () ->
  let calls =
    List.init 2_000 (fun i ->
        Weft.async (fun () ->
            Weft.blocking (fun () ->
                Unix.sleepf 0.0001;
                i)))
  in
  check_int "sum" 1_999_000 (List.fold_left (fun sum p -> sum + Weft.await p) 0 calls)

(* --- the host comes and goes --- *)

let host_ends () =
  for _ = 1 to 3 do
    check_int "call" 1 (Weft.run ~domains:2 (fun () -> Weft.blocking (fun () -> 1)));
    until "no host" (fun () -> not (Blocking.has_host ()));
    check_int "helpers" 0 (Blocking.helpers ())
  done

let while_it_ends () =
  (* Calls that come just when the helper or the host is about to end. *)
  Weft.run ~domains:2 @@ fun () ->
  for i = 1 to 30 do
    let pause = 0.098 +. (0.0002 *. float i) in
    let call () = Weft.blocking (fun () -> 1) in
    let a, b = Weft.par call call in
    check_int "calls" 2 (a + b);
    Weft.blocking (fun () -> Unix.sleepf 0.0002);
    Unix.sleepf pause
  done

let several_pools () =
  let caller domains () =
    Pool.with_pool ~domains @@ fun p ->
    for _ = 1 to 5 do
      Pool.run p (fun () ->
          let calls =
            List.init 50 (fun i () ->
                Weft.blocking (fun () ->
                    Thread.yield ();
                    i))
          in
          check_int "sum" 1225 (List.fold_left ( + ) 0 (Weft.all calls)))
    done
  in
  List.iter Thread.join (List.init 4 (fun i -> Thread.create (caller (1 + (i mod 3))) ()))

(* --- closing --- *)

(* The calls that wait for the gate go on when the closing has begun. *)
let close_then_open p gate =
  let opener =
    Thread.create
      (fun () ->
        Thread.delay 0.03;
        Gate.open_ gate)
      ()
  in
  Pool.close p;
  Thread.join opener

let closing_waits () =
  List.iter
    (fun limit ->
      with_limit limit @@ fun () ->
      List.iter
        (fun domains ->
          let p = Pool.create ~domains () in
          Gate.with_ @@ fun gate ->
          let news = Promise.create () in
          let ended = Atomic.make 0 in
          let call i =
            Pool.async p (fun () ->
                Weft.blocking (fun () -> Gate.wait gate);
                if i = 2 then Promise.resolve news i;
                Atomic.incr ended)
          in
          let calls = List.init 3 call in
          (* What this one waits for only the last call brings; nor must it be ended before. *)
          let waiting = Pool.async p (fun () -> Weft.await news) in
          until "in progress" (fun () -> Blocking.in_progress () = 3);
          close_then_open p gate;
          check_int "ended" 3 (Atomic.get ended);
          List.iter Weft.await calls;
          check_int "news" 2 (Weft.await waiting))
        [ 1; 2 ])
    [ 1; 512 ]

let closing_ends_the_others () =
  List.iter
    (fun domains ->
      let p = Pool.create ~domains () in
      Gate.with_ @@ fun gate ->
      let never = Promise.create () and finalised = Atomic.make false in
      let waiting =
        Pool.async p (fun () ->
            Fun.protect ~finally:(fun () -> Atomic.set finalised true) (fun () -> Weft.await never))
      in
      let call =
        Pool.async p (fun () ->
            Weft.blocking (fun () -> Gate.wait gate);
            Atomic.get finalised)
      in
      until "in progress" (fun () -> Blocking.in_progress () = 1);
      close_then_open p gate;
      Alcotest.(check bool) "the call first" false (Weft.await call);
      match Weft.await waiting with
      | () -> Alcotest.fail "not ended"
      | exception Pool.Closed _ -> Alcotest.(check bool) "finalised" true (Atomic.get finalised))
    [ 1; 2 ]

let closing_two_pools () =
  (* A task of one waits for a task of the other, which is in a call. *)
  let p = Pool.create ~domains:2 () and q = Pool.create ~domains:2 () in
  Gate.with_ @@ fun gate ->
  let slow =
    Pool.async q (fun () ->
        Weft.blocking (fun () ->
            Gate.wait gate;
            4))
  in
  until "in progress" (fun () -> Blocking.in_progress () = 1);
  let waiting = Pool.async p (fun () -> Weft.await slow) in
  close_then_open p gate;
  check_int "value" 4 (Weft.await waiting);
  Pool.close q

(* --- cancellation --- *)

let raises_cancelled what f =
  match f () with
  | _ -> Alcotest.failf "%s: not cancelled" what
  | exception Weft.Cancel.Cancelled "test" -> ()

(* The only helper is taken until the gate is opened; [other] is the pool of that call. *)
let behind_a_gate test =
  with_limit 1 @@ fun () ->
  Pool.with_pool ~domains:2 @@ fun other ->
  in_each_size @@ fun () ->
  Gate.with_ @@ fun gate ->
  let taken = Atomic.make false in
  let holder =
    Pool.async other (fun () ->
        Weft.blocking (fun () ->
            Atomic.set taken true;
            Gate.wait gate))
  in
  until "the only helper is taken" (fun () -> Atomic.get taken);
  test other gate;
  Gate.open_ gate;
  Weft.await holder;
  none_in_progress ()

let in_progress_soon n =
  until (Printf.sprintf "%d in progress" n) (fun () ->
      Weft.yield ();
      Blocking.in_progress () = n)

let queued_is_dropped () =
  behind_a_gate @@ fun other gate ->
  let token = Weft.Cancel.create () and ran = Atomic.make 0 in
  let call () = Weft.blocking (fun () -> Atomic.incr ran) in
  let cancellable () = Weft.Cancel.within token call in
  let mine = List.init 10 (fun _ -> Weft.async cancellable) in
  let between = Pool.async other call in
  let mine = mine @ List.init 10 (fun _ -> Weft.async cancellable) in
  in_progress_soon 22;
  Weft.Cancel.cancel ~reason:"test" token;
  List.iter (fun p -> raises_cancelled "queued" (fun () -> Weft.await p)) mine;
  check_int "in progress" 2 (Blocking.in_progress ());
  check_int "ran" 0 (Atomic.get ran);
  Gate.open_ gate;
  Weft.await between;
  check_int "ran" 1 (Atomic.get ran)

let queued_times_out () =
  behind_a_gate @@ fun _ _ ->
  match Weft.Cancel.with_timeout 0.01 (fun () -> Weft.blocking ignore) with
  | () -> Alcotest.fail "no time-out"
  | exception Weft.Cancel.Timeout -> check_int "in progress" 1 (Blocking.in_progress ())

let cancelled_before () =
  in_each_size @@ fun () ->
  let token = Weft.Cancel.create () and ran = ref false in
  raises_cancelled "cancelled before" (fun () ->
      Weft.Cancel.within token (fun () ->
          Weft.Cancel.cancel ~reason:"test" token;
          Weft.blocking (fun () -> ran := true)));
  Alcotest.(check bool) "ran" false !ran

let running_is_awaited () =
  in_each_size @@ fun () ->
  List.iter
    (fun fails ->
      Gate.with_ @@ fun gate ->
      let token = Weft.Cancel.create () and started = Atomic.make false in
      let got = ref 0 and cancelled_then = ref false in
      let call () =
        Weft.blocking (fun () ->
            Atomic.set started true;
            Gate.wait gate;
            if fails then raise (Planned 4) else 9)
      in
      let p =
        Weft.async (fun () ->
            Weft.Cancel.within token (fun () ->
                (match call () with v -> got := v | exception Planned n -> got := n);
                match Weft.Cancel.check () with
                | () -> ()
                | exception Weft.Cancel.Cancelled _ -> cancelled_then := true))
      in
      until "running" (fun () ->
          Weft.yield ();
          Atomic.get started);
      Weft.Cancel.cancel ~reason:"test" token;
      for _ = 1 to 20 do
        Weft.yield ();
        Unix.sleepf 0.001
      done;
      Alcotest.(check bool) "still waiting" false (Promise.is_settled p);
      Gate.open_ gate;
      Weft.await p;
      check_int "outcome" (if fails then 4 else 9) !got;
      Alcotest.(check bool) "cancelled at the next check" true !cancelled_then)
    [ false; true ]

let siblings_and_shields () =
  in_each_size @@ fun () ->
  (* The other side of a failing par is waited for. *)
  let ended = Atomic.make false in
  Alcotest.check_raises "the failure" (Planned 5) (fun () ->
      let started = Atomic.make false in
      ignore
        (Weft.par
           (fun () ->
             until "started" (fun () ->
                 Weft.yield ();
                 Atomic.get started);
             raise (Planned 5))
           (fun () ->
             Weft.blocking (fun () ->
                 Atomic.set started true;
                 Unix.sleepf 0.02;
                 Atomic.set ended true))));
  Alcotest.(check bool) "ended" true (Atomic.get ended);
  let token = Weft.Cancel.create () and value = ref 0 in
  raises_cancelled "after the shield" (fun () ->
      Weft.Cancel.within token (fun () ->
          Weft.Cancel.cancel ~reason:"test" token;
          Weft.Cancel.shield (fun () -> value := Weft.blocking (fun () -> 6));
          Weft.Cancel.check ()));
  check_int "shielded" 6 !value

let cancelled_at_random () =
  (* Cancelled while queued, taken or over: each call either ran to its end or not at all, and all go on. *)
  List.iter
    (fun limit ->
      with_limit limit @@ fun () ->
      in_each_size @@ fun () ->
      for round = 1 to 20 do
        let began = Atomic.make 0 and ended = Atomic.make 0 in
        let task i () =
          let token = Weft.Cancel.create () in
          let p =
            Weft.async (fun () ->
                Weft.Cancel.within token (fun () ->
                    Weft.blocking (fun () ->
                        Atomic.incr began;
                        if i mod 3 = 0 then Unix.sleepf 0.0001;
                        Atomic.incr ended)))
          in
          for _ = 1 to i * round mod 7 do
            Weft.yield ()
          done;
          if i land 1 = 0 then Weft.Cancel.cancel ~reason:"test" token;
          match Weft.await p with () -> 1 | exception Weft.Cancel.Cancelled "test" -> 0
        in
        let returned = List.fold_left ( + ) 0 (Weft.all (List.init 50 task)) in
        check_int "none was left in the middle" (Atomic.get began) (Atomic.get ended);
        check_int "who ran returned" (Atomic.get ended) returned
      done;
      none_in_progress ())
    [ 1; 4 ]

let counted () =
  none_in_progress ();
  Weft.run ~domains:2 @@ fun () ->
  with_limit 2 @@ fun () ->
  Gate.with_ @@ fun gate ->
  let calls = List.init 5 (fun _ -> Weft.async (fun () -> Weft.blocking (fun () -> Gate.wait gate))) in
  until "five, of which two run" (fun () ->
      Weft.yield ();
      Blocking.in_progress () = 5 && Blocking.helpers () = 2);
  Gate.open_ gate;
  List.iter Weft.await calls;
  none_in_progress ()

let tests =
  [
    case "a call returns or raises, on a thread that is no worker" returns_and_raises;
    case "backtraces are kept" backtraces;
    case "Thread.exit is an exception" thread_exit;
    case "the caller's bindings are seen" bindings;
    case "what is called is outside all pools" an_outside_caller;
    case "100 sleeps take one sleep's time" overlap;
    case "100 sleeps take one sleep's time while workers compute" overlap_while_busy;
    case "a call does not wait for workers that compute" no_waiting_for_workers;
    case "the only worker goes on" one_worker_goes_on;
    case "never more than the limit at once" bounded;
    case "as many as the limit at once" as_many_as_allowed;
    case "first come, first served" first_come_first_served;
    case "10,000 short calls" many_short_calls;
    case "more calls than threads" more_calls_than_threads;
    case "helpers and their domain end when idle" host_ends;
    case "calls that come while they end" while_it_ends;
    case "calls of several pools" several_pools;
    case "closing a pool waits for calls, and for what they bring" closing_waits;
    case "closing a pool ends the others after its calls" closing_ends_the_others;
    case "closing waits for calls of the pool one waits for" closing_two_pools;
    case "a queued call is dropped when its fiber is cancelled" queued_is_dropped;
    case "a queued call is dropped by a time-out" queued_times_out;
    case "a cancelled fiber calls nothing" cancelled_before;
    case "a running call is waited for, and its outcome counts" running_is_awaited;
    case "the other side of a failing par, and shields" siblings_and_shields;
    case "calls cancelled at random moments" cancelled_at_random;
    case "calls in progress are counted" counted;
  ]
