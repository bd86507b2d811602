(* Waits that end early, because they are cancelled or timed out. Nobody else may notice. *)

open Support
module Barrier = Weft.Barrier
module Cancel = Weft.Cancel
module Ivar = Weft.Ivar
module Latch = Weft.Latch
module Mvar = Weft.Mvar
module Once = Weft.Once
module Promise = Weft.Promise

let times_out what f =
  match f () with _ -> Alcotest.failf "%s: it did not wait" what | exception Cancel.Timeout -> ()

let time_outs () =
  let all_time_out () =
    let soon = 0.002 in
    times_out "Ivar.read" (fun () -> Ivar.read ~timeout:soon (Ivar.create ()));
    times_out "Latch.wait" (fun () -> Latch.wait ~timeout:soon (Latch.create 1));
    times_out "Barrier.wait" (fun () -> ignore (Barrier.wait ~timeout:soon (Barrier.create 2)));
    times_out "Mvar.take" (fun () -> Mvar.take ~timeout:soon (Mvar.create ()));
    times_out "Mvar.read" (fun () -> Mvar.read ~timeout:soon (Mvar.create ()));
    times_out "Mvar.put" (fun () -> Mvar.put ~timeout:soon (Mvar.create ~value:1 ()) 2);
    times_out "at once" (fun () -> Mvar.take ~timeout:0. (Mvar.create ()));
    times_out "around it" (fun () -> Cancel.with_timeout soon (fun () -> Ivar.read (Ivar.create ())))
  in
  all_time_out ();
  in_each_size (fun () -> ignore (Weft.all (List.init 5 (fun _ -> all_time_out))))

let no_time_out_needed () =
  let none_waits () =
    let timeout = 0. in
    let i = Ivar.create () in
    Ivar.fill i 1;
    check_int "Ivar.read" 1 (Ivar.read ~timeout i);
    Latch.wait ~timeout (Latch.create 0);
    check_int "Barrier.wait" 0 (Barrier.wait ~timeout (Barrier.create 1));
    let m = Mvar.create () in
    Mvar.put ~timeout m 2;
    check_int "Mvar.read" 2 (Mvar.read ~timeout m);
    check_int "Mvar.take" 2 (Mvar.take ~timeout m)
  in
  none_waits ();
  in_each_size none_waits

(* A fiber waits in [f] and is then cancelled. *)
let is_cancelled f =
  let token = Cancel.create () in
  let fiber =
    Weft.async (fun () ->
        match Cancel.within token f with
        | _ -> Alcotest.fail "it was not cancelled"
        | exception Cancel.Cancelled reason -> check "another reason" (reason = "enough"))
  in
  for _ = 1 to 5 do
    Weft.yield ()
  done;
  Cancel.cancel ~reason:"enough" token;
  Weft.await fiber

let cancelled_waits () =
  in_each_size @@ fun () ->
  let i = Ivar.create () and l = Latch.create 1 and b = Barrier.create 2 and m = Mvar.create () in
  let read = Weft.async (fun () -> Ivar.read i)
  and wait = Weft.async (fun () -> Latch.wait l)
  and take = Weft.async (fun () -> Mvar.take m) in
  Weft.yield ();
  is_cancelled (fun () -> Ivar.read i);
  is_cancelled (fun () -> Latch.wait l);
  is_cancelled (fun () -> ignore (Barrier.wait b));
  is_cancelled (fun () -> ignore (Mvar.take m));
  is_cancelled (fun () -> ignore (Mvar.read m));
  Ivar.fill i ();
  Weft.await read;
  check_int "the latch's count" 1 (Latch.count l);
  Latch.count_down l;
  Weft.await wait;
  let meet = Weft.async (fun () -> Barrier.wait b) in
  let place = Barrier.wait b in
  check_int "both places" 1 (place + Weft.await meet);
  Mvar.put m 5;
  check_int "taken" 5 (Weft.await take);
  Mvar.put m 6;
  is_cancelled (fun () -> Mvar.put m 7);
  check_int "the first" 6 (Mvar.take m);
  check "the second was put" (Mvar.try_take m = None)

(* On one domain, a cancelled fiber runs again, and leaves, only when the canceller gives way: in between
   it is in the queue and has given up. *)
let cancelled_in_line () =
  Weft.run ~domains:1 @@ fun () ->
  let start f =
    let token = Cancel.create () in
    let wait () = try Some (Cancel.within token f) with Cancel.Cancelled _ -> None in
    (token, start_waiting wait)
  in
  let m = Mvar.create () in
  let token, first = start (fun () -> Mvar.take m) in
  let _, second = start (fun () -> Mvar.take m) in
  let reading, reader = start (fun () -> Mvar.read m) in
  Cancel.cancel token;
  Cancel.cancel reading;
  Mvar.put m 1;
  Alcotest.(check (option int)) "the next takes it" (Some 1) (Weft.await second);
  Alcotest.(check (option int)) "not the first" None (Weft.await first);
  Alcotest.(check (option int)) "nor the reader" None (Weft.await reader);
  Mvar.put m 2;
  let token, first = start (fun () -> Mvar.put m 3) in
  let _, second = start (fun () -> Mvar.put m 4) in
  Cancel.cancel token;
  check_int "was there" 2 (Mvar.take m);
  check "not put" (Weft.await first = None);
  check "put" (Weft.await second = Some ());
  check_int "the next" 4 (Mvar.take m);
  let b = Barrier.create 2 in
  let token, first = start (fun () -> Barrier.wait b) in
  Cancel.cancel token;
  check_int "the round is complete" 1 (Barrier.wait b);
  Alcotest.(check (option int)) "for the first too" (Some 0) (Weft.await first);
  let i = Ivar.create () in
  let token, first = start (fun () -> Ivar.read i) in
  let _, second = start (fun () -> Ivar.read i) in
  Cancel.cancel token;
  Ivar.fill i 5;
  Alcotest.(check (option int)) "the next reads" (Some 5) (Weft.await second);
  Alcotest.(check (option int)) "the first does not" None (Weft.await first)

let cancelled_before () =
  (* The wait does not begin, and an operation that need not wait is not done. *)
  in_each_size @@ fun () ->
  let m = Mvar.create ~value:1 () and i = Ivar.create () in
  let is_cancelled f =
    let token = Cancel.create () in
    let cancelled () =
      Cancel.cancel token;
      f ()
    in
    match Cancel.within token cancelled with
    | _ -> Alcotest.fail "it was not cancelled"
    | exception Cancel.Cancelled _ -> ()
  in
  is_cancelled (fun () -> Mvar.take m);
  is_cancelled (fun () -> Ivar.read i);
  check "nothing was taken" (Mvar.try_take m = Some 1)

(* A value that was put and not taken is there, whatever times out meanwhile. *)
let nothing_is_lost () =
  in_each_size @@ fun () ->
  let m = Mvar.create () in
  let put = Atomic.make 0 and taken = Atomic.make 0 in
  let attempt sum f =
    match f () with n -> ignore (Atomic.fetch_and_add sum n) | exception Cancel.Timeout -> ()
  in
  let worker k () =
    let random = Random.State.make [| k |] in
    for i = 1 to 150 do
      let timeout = Random.State.float random 0.0004 in
      match Random.State.int random 5 with
      | 0 | 1 -> attempt taken (fun () -> Mvar.take ~timeout m)
      | 2 -> attempt (Atomic.make 0) (fun () -> Mvar.read ~timeout m)
      | _ ->
          attempt put (fun () ->
              Mvar.put ~timeout m i;
              i)
    done
  in
  let thread = Thread.create (worker 100) () in
  ignore (Weft.all (List.init 12 worker));
  Thread.join thread;
  let rec rest sum = match Mvar.try_take m with None -> sum | Some v -> rest (sum + v) in
  check_int "sum" (Atomic.get put) (Atomic.get taken + rest 0)

(* A round is complete for all or for none, whoever leaves early. *)
let whole_rounds () =
  in_each_size @@ fun () ->
  let parties = 4 in
  let b = Barrier.create parties in
  let places = Array.init parties (fun _ -> Atomic.make 0) in
  let over = Atomic.make 0 in
  let worker k () =
    let random = Random.State.make [| k |] in
    for _ = 1 to 100 do
      match Barrier.wait ~timeout:(Random.State.float random 0.0004) b with
      | place -> Atomic.incr places.(place)
      | exception Cancel.Timeout -> Weft.yield ()
    done;
    Atomic.incr over
  in
  ignore (Weft.all (List.init 9 worker));
  let rounds = Atomic.get places.(0) in
  Array.iter (fun n -> check_int "each place as often" rounds (Atomic.get n)) places;
  (* No party is left in the barrier. *)
  let last = List.init parties (fun _ -> Weft.async (fun () -> Barrier.wait b)) in
  check_int "all places" (parties * (parties - 1) / 2) (List.fold_left (fun s p -> s + Weft.await p) 0 last)

let nothing_stays () =
  in_each_size @@ fun () ->
  let i = Ivar.create () and l = Latch.create 1 and b = Barrier.create 2 in
  let m = Mvar.create () and full = Mvar.create ~value:0 () in
  for _ = 1 to 1000 do
    let timeout = 0. in
    times_out "Ivar.read" (fun () -> Ivar.read ~timeout i);
    times_out "Latch.wait" (fun () -> Latch.wait ~timeout l);
    times_out "Barrier.wait" (fun () -> ignore (Barrier.wait ~timeout b));
    times_out "Mvar.take" (fun () -> ignore (Mvar.take ~timeout m));
    times_out "Mvar.read" (fun () -> ignore (Mvar.read ~timeout m));
    times_out "Mvar.put" (fun () -> Mvar.put ~timeout full 1)
  done;
  let size name x =
    let words = Obj.reachable_words x in
    if words > 200 then Alcotest.failf "%s: %d words" name words
  in
  size "ivar" (Obj.repr i);
  size "latch" (Obj.repr l);
  size "barrier" (Obj.repr b);
  size "mvar" (Obj.repr m);
  size "full mvar" (Obj.repr full);
  (* They are still usable. *)
  Ivar.fill i ();
  Mvar.put m 1

(* A thread outside waits, and a signal handler raises. *)
let signals_end_waits () =
  let before = Sys.signal Sys.sigusr1 (Signal_handle (fun _ -> raise Exit)) in
  Fun.protect ~finally:(fun () -> Sys.set_signal Sys.sigusr1 before) @@ fun () ->
  let interrupted what grows f =
    match interrupting Sys.sigusr1 ~grows f with
    | _ -> Alcotest.failf "%s: it did not wait" what
    | exception Exit -> ()
  in
  let i = Ivar.create () and l = Latch.create 1 and b = Barrier.create 2 and m = Mvar.create () in
  interrupted "Ivar.read" (Obj.repr i) (fun () -> Ivar.read i);
  interrupted "Latch.wait" (Obj.repr l) (fun () -> Latch.wait l);
  interrupted "Barrier.wait" (Obj.repr b) (fun () -> ignore (Barrier.wait b));
  interrupted "Mvar.take" (Obj.repr m) (fun () -> Mvar.take m);
  Mvar.put m ();
  interrupted "Mvar.put" (Obj.repr m) (fun () -> Mvar.put m ());
  Mvar.take m;
  check "nothing was put" (Mvar.try_take m = None);
  times_out "Barrier.wait" (fun () -> ignore (Barrier.wait ~timeout:0.001 b));
  Ivar.fill i ();
  Latch.count_down l

let woken_or_timed_out () =
  (* An ivar is filled and a latch opened while readers give up. *)
  in_each_size @@ fun () ->
  for round = 1 to 60 do
    let i = Ivar.create () and l = Latch.create 3 in
    let timeout = float (round mod 7) *. 0.0001 in
    let reader () =
      match Ivar.read ~timeout i with v -> check_int "read" round v | exception Cancel.Timeout -> ()
    in
    let waiter () =
      match Latch.wait ~timeout l with
      | () -> check_int "count" 0 (Latch.count l)
      | exception Cancel.Timeout -> ()
    in
    let patient = Weft.async (fun () -> Ivar.read i) and patient' = Weft.async (fun () -> Latch.wait l) in
    let others = List.init 6 (fun k -> Weft.async (if k land 1 = 0 then reader else waiter)) in
    for _ = 1 to round mod 4 do
      Weft.yield ()
    done;
    Ivar.fill i round;
    Latch.count_down ~by:3 l;
    check_int "read" round (Weft.await patient);
    List.iter Weft.await (patient' :: others)
  done

let once_is_computed_anew () =
  in_each_size @@ fun () ->
  let times = Atomic.make 0 and may_end = Atomic.make false and never = Promise.create () in
  let o =
    Once.make (fun () ->
        (* Who sees that it has begun may set [may_end] at once. *)
        let ends = Atomic.get may_end in
        let n = Atomic.fetch_and_add times 1 + 1 in
        if not ends then Weft.await never;
        n)
  in
  (* The wait is ended by a token, a timeout, and a failing sibling. *)
  is_cancelled (fun () -> ignore (Once.get o));
  check "not done" (not (Once.is_done o));
  times_out "Once.get" (fun () -> Cancel.with_timeout 0.002 (fun () -> Once.get o));
  (* The time may be over before the computation begins. *)
  let before = Atomic.get times in
  let others = ref [] in
  (match
     Weft.Scope.run (fun s ->
         ignore (Weft.Scope.async s (fun () -> Once.get o));
         while Atomic.get times = before do
           Weft.yield ()
         done;
         Atomic.set may_end true;
         others := List.init 5 (fun _ -> Weft.async (fun () -> Once.get o));
         Weft.yield ();
         raise (Planned 1))
   with
  | () -> Alcotest.fail "no failure"
  | exception Planned 1 -> ());
  List.iter (fun p -> check_int "computed by one of those that waited" (before + 2) (Weft.await p)) !others;
  check_int "and no more" (before + 2) (Once.get o)

let once_waiters_leave () =
  in_each_size @@ fun () ->
  let ready = Ivar.create () in
  let o = Once.make (fun () -> Ivar.read ready) in
  let computing = Weft.async (fun () -> Once.get o) in
  for _ = 1 to 5 do
    Weft.yield ()
  done;
  let waiting = Weft.async (fun () -> Once.get o) in
  times_out "Once.get" (fun () -> Cancel.with_timeout 0.002 (fun () -> Once.get o));
  Ivar.fill ready 1;
  check_int "value" 2 (Weft.await computing + Weft.await waiting)

let own_time_outs_are_remembered () =
  (* The time-out is the computation's own, so it is its result; the fiber is not cancelled. *)
  in_each_size @@ fun () ->
  let times = Atomic.make 0 in
  let o =
    Once.make (fun () ->
        Atomic.incr times;
        Ivar.read ~timeout:0.001 (Ivar.create ()))
  in
  times_out "the first" (fun () -> Once.get o);
  times_out "the second" (fun () -> Once.get o);
  check_int "times" 1 (Atomic.get times)

let races () =
  in_each_size @@ fun () ->
  let lasting = Promise.create () in
  for _ = 1 to 200 do
    let p = Promise.create () in
    let race = Promise.race [ lasting; p ] in
    (match Cancel.with_timeout 0. (fun () -> Weft.await race) with
    | _ -> Alcotest.fail "nothing has settled"
    | exception Cancel.Timeout -> ());
    Promise.resolve p 1;
    check_int "the race goes on" 1 (Weft.await race)
  done;
  check "the lasting one grew" (Obj.reachable_words (Obj.repr lasting) < 20)

let foreign_waits () =
  in_each_size @@ fun () ->
  let released = Atomic.make [] in
  let rec add release =
    let was = Atomic.get released in
    if not (Atomic.compare_and_set released was (release :: was)) then add release
  in
  for _ = 1 to 20 do
    is_cancelled (fun () ->
        let t = Domain_local_await.prepare_for_await () in
        add t.release;
        t.await ())
  done;
  List.iter (fun release -> release ()) (Atomic.get released)

let tests =
  [
    case "waits time out, in fibers and in threads" time_outs;
    case "what need not wait does not time out" no_time_out_needed;
    case "a waiter that is cancelled leaves, and nobody else misses anything" cancelled_waits;
    case "a waiter that is cancelled and still in line is passed over" cancelled_in_line;
    case "a waiter that is cancelled does not begin to wait" cancelled_before;
    case "a waiter that times out leaves nothing behind" nothing_stays;
    case "a signal's exception ends a wait outside" signals_end_waits;
    case "mvar: nothing is lost or doubled by timeouts" nothing_is_lost;
    case "barrier: rounds are whole, whoever times out" whole_rounds;
    case "ivar, latch: the patient are served, whoever times out" woken_or_timed_out;
    case "once: if who computes is cancelled, another computes" once_is_computed_anew;
    case "once: a waiter may leave" once_waiters_leave;
    case "once: the computation's own timeout is its outcome" own_time_outs_are_remembered;
    case "race: goes on when who awaits it leaves" races;
    case "Domain_local_await: a cancelled wait ends" foreign_waits;
  ]
