open Support
open Blocking_calls
module Blocking = Weft_scheduler.Blocking
module Pool = Weft.Pool
module Promise = Weft.Promise

(* --- the host comes and goes --- *)

let host_ends () =
  for _ = 1 to 3 do
    check_int "call" 1 (Weft.run ~domains:2 (fun () -> Weft.blocking (fun () -> 1)));
    wait_until "no host" (fun () -> not (Blocking.has_host ()));
    check_int "helpers" 0 (Blocking.helpers ())
  done

let while_it_ends () =
  (* Calls that arrive just when the helper or the host is about to end. *)
  Weft.run ~domains:2 @@ fun () ->
  let times = Testing.Effort.count ~quick:5 ~usual:15 ~long:30 in
  for i = 1 to times do
    let pause = 0.098 +. (0.006 *. float i /. float times) in
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

(* The calls that wait for the gate go on after the closing has begun. *)
let close_then_open p gate =
  let state = state_of p in
  let opener =
    Thread.create
      (fun () ->
        closing_begins state;
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
          (* This fiber waits for something that only the last call brings; until then closing must not end
             it. *)
          let waiting = Pool.async p (fun () -> Weft.await news) in
          wait_until "in progress" (fun () -> Blocking.in_progress () = 3);
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
      wait_until "in progress" (fun () -> Blocking.in_progress () = 1);
      close_then_open p gate;
      Alcotest.(check bool) "the call first" false (Weft.await call);
      match Weft.await waiting with
      | () -> Alcotest.fail "not ended"
      | exception Pool.Closed _ -> Alcotest.(check bool) "finalised" true (Atomic.get finalised))
    [ 1; 2 ]

(* The call uses Weft: that goes to the default pool, which waits for the call. *)
let closing_the_default_pool () =
  let p = Pool.default () in
  Gate.with_ @@ fun gate ->
  let module C = Weft_batch.Counter in
  let c = C.create () in
  let in_call () =
    Gate.wait gate;
    let sum = fst (Weft.par (fun () -> 1) (fun () -> 2)) + Weft.await (Weft.async (fun () -> 4)) in
    C.exclusive c (fun _ -> ());
    ignore (C.exec_many c (Array.make 3 (C.Add 1)) : unit array);
    sum + C.get c
  in
  let call = Pool.async p (fun () -> Weft.blocking in_call) in
  wait_until "in progress" (fun () -> Blocking.in_progress () = 1);
  close_then_open p gate;
  check_int "what it got" 8 (Weft.await call);
  Alcotest.(check bool) "another pool" true (Pool.default () != p);
  check_int "by that" 3 (Weft.run (fun () -> 3))

let closing_two_pools () =
  (* A task of each pool waits for a task of the other pool, which is in a blocking call. *)
  let p = Pool.create ~domains:2 () and q = Pool.create ~domains:2 () in
  Gate.with_ @@ fun gate ->
  let slow =
    Pool.async q (fun () ->
        Weft.blocking (fun () ->
            Gate.wait gate;
            4))
  in
  wait_until "in progress" (fun () -> Blocking.in_progress () = 1);
  let waiting = Pool.async p (fun () -> Weft.await slow) in
  close_then_open p gate;
  check_int "value" 4 (Weft.await waiting);
  Pool.close q

(* --- cancellation --- *)

let raises_cancelled what f =
  match f () with
  | _ -> Alcotest.failf "%s: not cancelled" what
  | exception Weft.Cancel.Cancelled "test" -> ()

(* A call of [other] occupies the only helper until the gate is opened. *)
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
  wait_until "the only helper is taken" (fun () -> Atomic.get taken);
  test other gate;
  Gate.open_ gate;
  Weft.await holder;
  none_in_progress ()

let in_progress_soon n =
  wait_until (Printf.sprintf "%d in progress" n) (fun () ->
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
      wait_until "running" (fun () ->
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
  (* [par] waits for the other side when one side fails. *)
  let ended = Atomic.make false in
  Alcotest.check_raises "the failure" (Planned 5) (fun () ->
      let started = Atomic.make false in
      ignore
        (Weft.par
           (fun () ->
             wait_until "started" (fun () ->
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
  (* Calls are cancelled while they are queued, running or over: each call either ran to its end or not at
     all, and every fiber goes on. *)
  List.iter
    (fun limit ->
      with_limit limit @@ fun () ->
      in_each_size @@ fun () ->
      for round = 1 to tries 20 do
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
        check_int "a waiter that ran returned" (Atomic.get ended) returned
      done;
      none_in_progress ())
    [ 1; 4 ]

let counted () =
  none_in_progress ();
  Weft.run ~domains:2 @@ fun () ->
  with_limit 2 @@ fun () ->
  Gate.with_ @@ fun gate ->
  let calls = List.init 5 (fun _ -> Weft.async (fun () -> Weft.blocking (fun () -> Gate.wait gate))) in
  wait_until "five, of which two run" (fun () ->
      Weft.yield ();
      Blocking.in_progress () = 5 && Blocking.helpers () = 2);
  Gate.open_ gate;
  List.iter Weft.await calls;
  none_in_progress ()

let tests =
  [
    case "helpers and their domain end when idle" host_ends;
    case "calls that come while they end" while_it_ends;
    case "calls of several pools" several_pools;
    case "closing a pool waits for calls, and for what they bring" closing_waits;
    case "closing a pool ends the others after its calls" closing_ends_the_others;
    case "closing the default pool, which the call uses" closing_the_default_pool;
    case "closing waits for calls of the pool one waits for" closing_two_pools;
    case "a queued call is dropped when its fiber is cancelled" queued_is_dropped;
    case "a queued call is dropped by a time-out" queued_times_out;
    case "a cancelled fiber calls nothing" cancelled_before;
    case "a running call is waited for, and its outcome counts" running_is_awaited;
    case "the other side of a failing par, and shields" siblings_and_shields;
    case "calls cancelled at random moments" cancelled_at_random;
    case "calls in progress are counted" counted;
  ]
