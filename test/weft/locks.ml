open Support
open Crowd
module Mutex = Weft.Mutex

let caller_holds what f = raises_invalid what (what ^ ": the caller holds the ") f
let caller_does_not what f = raises_invalid what (what ^ ": the caller does not hold the ") f

let is_free m =
  let free = Mutex.try_lock m in
  if free then Mutex.unlock m;
  free

(* --- one at a time --- *)

let one_at_a_time () =
  on_each_size @@ fun pool ->
  let m = Mutex.create () and shared = shared () in
  let fibers = 20 and threads = 3 and times = 200 in
  everywhere pool ~fibers ~threads (fun _ ->
      for i = 1 to times do
        if i land 1 = 0 then Mutex.protect m (fun () -> work shared i)
        else begin
          Mutex.lock m;
          work shared i;
          Mutex.unlock m
        end
      done);
  check_int "all counted" ((fibers + threads + 1) * times) shared.count;
  check_bool "free at the end" true (is_free m)

let moves_while_holding () =
  Weft.run ~domains:3 @@ fun () ->
  let m = Mutex.create () and over = Atomic.make false in
  Fun.protect ~finally:(fun () -> Atomic.set over true) @@ fun () ->
  let others =
    List.init 4 (fun _ ->
        Weft.async (fun () ->
            while not (Atomic.get over) do
              Weft.yield ()
            done))
  in
  let rival = ref None in
  Mutex.protect m (fun () ->
      let here = Domain.self () in
      yield_until "it has moved" (fun () -> Domain.self () <> here);
      caller_holds "Weft.Mutex.lock" (fun () -> Mutex.lock m);
      rival := Some (Weft.async (fun () -> Mutex.protect m ignore));
      (* The same again, now that a fiber waits. *)
      let here = Domain.self () in
      yield_until "it has moved" (fun () -> Domain.self () <> here);
      caller_holds "Weft.Mutex.lock" (fun () -> Mutex.lock m));
  Atomic.set over true;
  List.iter Weft.await others;
  Option.iter Weft.await !rival;
  check_bool "free at the end" true (is_free m)

(* --- in turn --- *)

let first_come_first_served () =
  (* On one domain, a fiber runs until it is in the queue. *)
  Weft.run ~domains:1 @@ fun () ->
  let m = Mutex.create_fair () and served = ref [] in
  Mutex.lock m;
  let waiters = in_line 100 (fun i -> Mutex.protect m (fun () -> served := i :: !served)) in
  Mutex.unlock m;
  check_bool "handed over" false (Mutex.try_lock m);
  List.iter Weft.await waiters;
  Alcotest.(check (list int)) "in order" (List.init 100 Fun.id) (List.rev !served)

(* Each comes back at once, when the other stands in line. *)
let nobody_comes_in_between () =
  Weft.run ~domains:1 @@ fun () ->
  let m = Mutex.create_fair () and served = ref [] in
  let fibers = [| None; None |] and ended = [| false; false |] in
  let stands_in_line who =
    match fibers.(who) with Some { Weft_scheduler.Fiber.state = Suspended _; _ } -> true | _ -> false
  in
  let greedy me () =
    fibers.(me) <- Some (Weft_scheduler.Context.current ()).fiber;
    for _ = 1 to 100 do
      Mutex.lock m;
      served := me :: !served;
      yield_until "the other is in line" (fun () -> stands_in_line (1 - me) || ended.(1 - me));
      Mutex.unlock m
    done;
    ended.(me) <- true
  in
  let (), () = Weft.par (greedy 0) (greedy 1) in
  let rec alternate = function a :: (b :: _ as rest) -> a <> b && alternate rest | _ -> true in
  check_bool "in turn" true (alternate !served)

(* --- out of turn --- *)

(* Where the machine is slow, the first has waited for half a millisecond, and is handed the mutex. *)
let newcomers_come_in_between () =
  Testing.Watchdog.until_undisturbed "a newcomer takes the mutex" @@ fun () ->
  Weft.run ~domains:1 @@ fun () ->
  let m = Mutex.create () and served = ref [] in
  Mutex.lock m;
  let waiters = in_line 3 (fun i -> Mutex.protect m (fun () -> served := i :: !served)) in
  Mutex.unlock m;
  let taken = Mutex.try_lock m in
  if taken then Mutex.unlock m;
  List.iter Weft.await waiters;
  Alcotest.(check (list int)) "the others are woken in order" [ 0; 1; 2 ] (List.rev !served);
  if taken then Ok () else Error "it was handed over"

let who_is_woken_in_vain_stays_first () =
  Weft.run ~domains:1 @@ fun () ->
  let m = Mutex.create () and served = ref [] in
  Mutex.lock m;
  let waiters = in_line 3 (fun i -> Mutex.protect m (fun () -> served := i :: !served)) in
  (* Where the machine is slow, the mutex is handed over instead. *)
  let rec again times =
    Mutex.unlock m;
    if times > 0 && Mutex.try_lock m then begin
      (* The first of them tries. *)
      Weft.yield ();
      again (times - 1)
    end
  in
  again 10;
  List.iter Weft.await waiters;
  Alcotest.(check (list int)) "in order" [ 0; 1; 2 ] (List.rev !served)

(* Selects are handed the mutex, again and again; none of them ends before the other fiber has had it. *)
let selects_starve_nobody () =
  on_each_size @@ fun pool ->
  Weft.Pool.run pool @@ fun () ->
  let m = Mutex.create () and had = Atomic.make false in
  let select () =
    Weft.Select.(
      select
        [
          lock m (fun () ->
              Weft.yield ();
              Mutex.unlock m);
        ])
  in
  let rec again () =
    if not (Atomic.get had) then begin
      select ();
      again ()
    end
  in
  let selects = List.init 3 (fun _ -> Weft.async again) in
  let locks = Weft.async (fun () -> Mutex.protect m (fun () -> Atomic.set had true)) in
  List.iter Weft.await (locks :: selects);
  check_bool "free at the end" true (is_free m)

let nobody_starves () =
  Weft.run ~domains:1 @@ fun () ->
  let m = Mutex.create () and served = ref 0 in
  Mutex.lock m;
  let waiters = in_line 3 (fun _ -> Mutex.protect m (fun () -> incr served)) in
  Mutex.unlock m;
  while Mutex.protect m (fun () -> !served < 3) do
    ()
  done;
  List.iter Weft.await waiters;
  check_bool "free at the end" true (is_free m)

(* --- holders --- *)

let only_the_owner () =
  let with_mutex ~contended test =
    let m = Mutex.create () in
    let rival = ref None in
    Mutex.protect m (fun () ->
        if contended then begin
          let started = Atomic.make false in
          rival :=
            Some
              (Thread.create
                 (fun () ->
                   Atomic.set started true;
                   Mutex.protect m ignore)
                 ());
          yield_until "the rival has started" (fun () -> Atomic.get started);
          Thread.delay 0.01
        end;
        test m);
    Option.iter Thread.join !rival;
    caller_does_not "Weft.Mutex.unlock" (fun () -> Mutex.unlock m);
    check_bool "free at the end" true (is_free m)
  in
  let test m =
    caller_holds "Weft.Mutex.lock" (fun () -> Mutex.lock m);
    caller_holds "Weft.Mutex.lock_timeout" (fun () -> Mutex.lock_timeout 3600. m);
    caller_holds "Weft.Mutex.protect" (fun () -> Mutex.protect m ignore);
    check_bool "try_lock" false (Mutex.try_lock m);
    elsewhere (fun () ->
        caller_does_not "Weft.Mutex.unlock" (fun () -> Mutex.unlock m);
        check_bool "try_lock" false (Mutex.try_lock m));
    Domain.join
      (Domain.spawn (fun () -> caller_does_not "Weft.Mutex.unlock" (fun () -> Mutex.unlock m)));
    Weft.await
      (Weft.Pool.async (Weft.Pool.default ()) (fun () ->
           caller_does_not "Weft.Mutex.unlock" (fun () -> Mutex.unlock m)))
  in
  with_mutex ~contended:false test;
  with_mutex ~contended:true test;
  in_each_size (fun () -> with_mutex ~contended:false (fun m ->
      caller_holds "Weft.Mutex.lock" (fun () -> Mutex.lock m);
      let stranger = Weft.Promise.create () in
      elsewhere (fun () ->
          (match Mutex.unlock m with () -> () | exception exn -> Weft.Promise.reject stranger exn));
      caller_does_not "Weft.Mutex.unlock" (fun () -> Weft.await stranger)))
  [@@ocamlformat "disable"]

let fibers_of_one_domain () =
  Weft.run ~domains:1 @@ fun () ->
  let m = Mutex.create () in
  Mutex.lock m;
  let other =
    Weft.async (fun () ->
        caller_does_not "Weft.Mutex.unlock" (fun () -> Mutex.unlock m);
        check_bool "locked by the other" false (Mutex.try_lock m))
  in
  yield_until "the other has run" (fun () -> Weft.Promise.is_settled other);
  Weft.await other;
  Mutex.unlock m

let protect_always_unlocks () =
  let m = Mutex.create () in
  check_int "the result" 3 (Mutex.protect m (fun () -> 3));
  Alcotest.check_raises "the exception" (Planned 1) (fun () -> Mutex.protect m (fun () -> raise (Planned 1)));
  Alcotest.check_raises "also if unlocked already" (Planned 2) (fun () ->
      Mutex.protect m (fun () ->
          Mutex.unlock m;
          raise (Planned 2)));
  caller_does_not "Weft.Mutex.protect" (fun () -> Mutex.protect m (fun () -> Mutex.unlock m));
  check_bool "free at the end" true (is_free m)

(* --- giving up --- *)

let times_out () =
  let holder_and_waiter () =
    let m = Mutex.create () in
    Mutex.lock m;
    apart (fun () ->
        match Mutex.lock_timeout 0.01 m with
        | () -> Alcotest.fail "locked twice"
        | exception Weft.Cancel.Timeout -> ());
    Mutex.unlock m;
    check_bool "free at the end" true (is_free m)
  in
  in_each_size holder_and_waiter;
  holder_and_waiter ()

let many_give_up () =
  on_each_size @@ fun pool ->
  let m = Mutex.create () and shared = shared () and got = Atomic.make 0 in
  everywhere pool ~fibers:10 ~threads:3 (fun me ->
      let rand = Random.State.make [| me |] in
      for i = 1 to 50 do
        match Mutex.lock_timeout (Random.State.float rand 0.002) m with
        | () ->
            Atomic.incr got;
            work shared i;
            Mutex.unlock m
        | exception Weft.Cancel.Timeout -> ()
      done);
  check_int "a waiter that got it, was alone" (Atomic.get got) shared.count;
  check_bool "free at the end" true (is_free m)

(* --- turns of a select --- *)

let turns () =
  let module Waiter = Weft_scheduler.Waiter in
  let m = Mutex.create () in
  let enqueue ?(cell = Waiter.create ()) () =
    let turn = Mutex.Private.turn m cell (ref 7) in
    Mutex.Private.enqueue turn "Weft.Select.lock";
    (cell, turn)
  in
  let is_served (cell, _) = not (Waiter.is_open cell) in
  let state = Atomic.make `Start in
  let t =
    Thread.create
      (fun () ->
        Mutex.lock m;
        Atomic.set state `Held;
        yield_until "it may unlock" (fun () -> Atomic.get state = `Unlock);
        Mutex.unlock m)
      ()
  in
  yield_until "it is held" (fun () -> Atomic.get state = `Held);
  let a = enqueue () in
  let b = enqueue () in
  let c = enqueue () in
  let d = enqueue () in
  Mutex.Private.leave (snd a);
  check_bool "closed by other means" true (Waiter.wake (fst b) (ref 8));
  Atomic.set state `Unlock;
  Thread.join t;
  check_bool "one that left is not served" false (is_served a);
  check_bool "nor two" true (is_served c && not (is_served d));
  check_int "its value" 7 !(Waiter.await ~what:"" ~leave:ignore (fst c));
  check_bool "is mine" true (Mutex.Private.is_mine m);
  raises_invalid "twice" "Weft.Select.lock: " (fun () -> ignore (enqueue ()));
  check_bool "closed before" true (is_served (enqueue ~cell:(fst c) ()));
  List.iter (fun (_, turn) -> Mutex.Private.leave turn) [ b; c; d ];
  check_bool "still mine" true (Mutex.Private.is_mine m);
  Mutex.unlock m;
  check_bool "those that left are not served" true (is_free m && not (is_served d));
  let e = enqueue () in
  check_bool "at once, if it is free" true (is_served e && Mutex.Private.is_mine m);
  Mutex.unlock m

let select_locks () =
  on_each_size @@ fun pool ->
  let m = Mutex.create () and n = Mutex.create () and shared = shared () in
  let done_by_two = Atomic.make 0 in
  everywhere pool ~fibers:10 ~threads:3 (fun me ->
      for i = 1 to 50 do
        let use other () =
          (* Each of the two mutexes lets one in: so two may be inside at a time, and not three. *)
          Mutex.unlock other;
          Atomic.incr done_by_two
        in
        if me land 1 = 0 then Weft.Select.(select [ lock m (use m); lock n (use n); lock m (use m) ])
        else begin
          Mutex.lock m;
          work shared i;
          Mutex.unlock m
        end
      done);
  check_int "selects" (7 * 50) (Atomic.get done_by_two);
  check_int "others" (7 * 50) shared.count;
  check_bool "free at the end" true (is_free m && is_free n);
  Mutex.lock m;
  raises_invalid "held by the caller" "Weft.Select.lock: " (fun () -> Weft.Select.(select [ lock m ignore ]));
  check_bool "another case" true
    Weft.Select.(select [ lock m (fun () -> false); timeout 0. (fun () -> true) ]);
  Mutex.unlock m

(* --- signals --- *)

let alarms_leave_it_whole () =
  on_each_size @@ fun pool ->
  let m = Mutex.create () and shared = shared () in
  let over = Atomic.make false and others = Atomic.make 0 and mine = ref 0 in
  let user () =
    while not (Atomic.get over) do
      Mutex.protect m (fun () -> work shared (4 * shared.count));
      Atomic.incr others;
      Weft.yield ()
    done
  in
  let fibers = List.init 3 (fun _ -> Weft.Pool.async pool user) in
  Fun.protect ~finally:(fun () -> Atomic.set over true) @@ fun () ->
  with_alarms pool ~every:0.002 ~at_least:50 (fun () -> Mutex.protect m (fun () -> incr mine));
  Atomic.set over true;
  List.iter Weft.await fibers;
  check_bool "no longer mine" false (Mutex.Private.is_mine m);
  check_bool "free at the end" true (is_free m);
  check_int "all counted" (Atomic.get others) shared.count

(* --- the end of a pool --- *)

let closing_ends_those_in_line () =
  List.iter
    (fun domains ->
      let m = Mutex.create () in
      Mutex.lock m;
      let pool = Weft.Pool.create ~domains () in
      let cleaned = Atomic.make 0 in
      let waiters =
        List.init 10 (fun _ ->
            Weft.Pool.async pool (fun () ->
                Fun.protect (fun () -> Mutex.lock m) ~finally:(fun () -> Atomic.incr cleaned)))
      in
      fibers_wait pool 10;
      Weft.Pool.close pool;
      check_int "finalisers" 10 (Atomic.get cleaned);
      List.iter
        (fun p ->
          match Weft.await p with
          | () -> Alcotest.fail "got a mutex that was never unlocked"
          | exception Weft.Pool.Closed _ -> ())
        waiters;
      Mutex.unlock m;
      check_bool "free at the end" true (is_free m))
    sizes

let tests =
  [
    case "mutex: one at a time, whatever they do inside" one_at_a_time;
    case "mutex: a fiber that moves to another domain still holds it" (all_at_once moves_while_holding);
    case "fair mutex: first come, first served" first_come_first_served;
    case "fair mutex: nobody comes in between" nobody_comes_in_between;
    case "mutex: a newcomer takes it before one that is woken" newcomers_come_in_between;
    case "mutex: one that is woken in vain stays the first" who_is_woken_in_vain_stays_first;
    case "mutex: nobody waits for ever" nobody_starves;
    case "mutex: selects starve nobody" selects_starve_nobody;
    case "mutex: only the owner unlocks, and locks but once" only_the_owner;
    case "mutex: fibers of one domain are told apart" fibers_of_one_domain;
    case "mutex: protect always unlocks" protect_always_unlocks;
    case "mutex: a time-out ends the wait" times_out;
    case "mutex: those that give up swallow no hand-over" many_give_up;
    case "mutex: turns that a select leaves are not given" turns;
    case "mutex: a select locks one" select_locks;
    case "mutex: signals' exceptions leave it whole" alarms_leave_it_whole;
    case "mutex: closing a pool ends those in line" closing_ends_those_in_line;
  ]
