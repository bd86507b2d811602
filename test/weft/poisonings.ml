open Support
module Cancel = Weft.Cancel
module M = Weft.Poisoning_mutex
module Promise = Weft.Promise

let is_poisoned what n m =
  match M.protect m ignore with
  | () -> Alcotest.failf "%s: not poisoned" what
  | exception M.Poisoned (Planned k) -> check_int what n k

let is_free what m =
  let locked = Weft.Mutex.try_lock (M.mutex m) in
  check (what ^ ": it is free") locked;
  if locked then Weft.Mutex.unlock (M.mutex m)

let failures () =
  let all () =
    let m = M.create () in
    check_int "no failure" 3 (M.protect m (fun () -> 3));
    Alcotest.check_raises "the holder" (Planned 1) (fun () -> M.protect m (fun () -> raise (Planned 1)));
    is_free "after a failure" m;
    is_poisoned "the next" 1 m;
    is_poisoned "and the one after" 1 m;
    is_free "after Poisoned" m;
    check "the exception" (match M.failure m with Some (Planned 1, _) -> true | _ -> false);
    (* A repair that fails. *)
    Alcotest.check_raises "a repair" (Planned 2) (fun () ->
        M.repair m (fun failure ->
            check "is told why" (failure = Some (Planned 1));
            raise (Planned 2)));
    is_poisoned "by the first" 1 m;
    check_int "repaired" 5 (M.repair m (fun _ -> 5));
    check_int "as before" 4 (M.protect m (fun () -> 4));
    check "nothing to repair" (M.repair m Option.is_none);
    Alcotest.check_raises "a repair of what was whole" (Planned 6) (fun () ->
        M.repair m (fun _ -> raise (Planned 6)));
    is_poisoned "by the repair" 6 m
  in
  all ();
  in_each_size all

(* Those that wait already learn of it, too. *)
let waiters () =
  in_each_size @@ fun () ->
  let m = M.create () and gate = Promise.create () and locked = Promise.create () in
  let holder =
    Weft.async (fun () ->
        M.protect m (fun () ->
            Promise.resolve locked ();
            Weft.await gate;
            raise (Planned 1)))
  in
  Weft.await locked;
  let waits = List.init 3 (fun _ -> start_waiting (fun () -> is_poisoned "who waits" 1 m)) in
  Promise.resolve gate ();
  Alcotest.check_raises "the holder" (Planned 1) (fun () -> Weft.await holder);
  List.iter Weft.await waits

let cancelled () =
  in_each_size @@ fun () ->
  let m = M.create () and token = Cancel.create () and locked = Promise.create () in
  let long () =
    M.protect m (fun () ->
        Promise.resolve locked ();
        Weft.await (Promise.create ()))
  in
  let holder = Weft.async (fun () -> Cancel.within token long) in
  Weft.await locked;
  (* Who waits for the lock and is cancelled has changed nothing. *)
  let other = Cancel.create () in
  let waits = start_waiting (fun () -> Cancel.within other (fun () -> M.protect m ignore)) in
  Cancel.cancel other;
  (match Weft.await waits with () -> Alcotest.fail "it had the lock" | exception Cancel.Cancelled _ -> ());
  (match M.protect_timeout 0.001 m ignore with
  | () -> Alcotest.fail "it had the lock"
  | exception Cancel.Timeout -> ());
  (match M.repair_timeout 0.001 m ignore with
  | () -> Alcotest.fail "it had the lock"
  | exception Cancel.Timeout -> ());
  check "not poisoned" (M.failure m = None);
  Cancel.cancel token;
  (match Weft.await holder with () -> Alcotest.fail "it has ended" | exception Cancel.Cancelled _ -> ());
  check "the holder"
    (match M.protect m ignore with exception M.Poisoned (Cancel.Cancelled _) -> true | () -> false)

let pool_closed () =
  let m = M.create () in
  waits_and_is_ended (fun () -> M.protect m (fun () -> Weft.await (Promise.create ())));
  check "the holder"
    (match M.protect m ignore with exception M.Poisoned (Weft.Pool.Closed _) -> true | () -> false);
  ignore (M.repair m ignore);
  (* One that waits for it. *)
  Weft.Mutex.lock (M.mutex m);
  waits_and_is_ended (fun () -> M.protect m ignore);
  Weft.Mutex.unlock (M.mutex m);
  M.protect m ignore

let with_a_condition () =
  in_each_size @@ fun () ->
  let m = M.create () and changed = Weft.Condition.create () and full = ref false in
  let p =
    start_waiting (fun () ->
        M.protect m (fun () ->
            while not !full do
              Weft.Condition.wait changed (M.mutex m)
            done;
            1))
  in
  M.protect m (fun () ->
      full := true;
      Weft.Condition.signal changed);
  check_int "woken" 1 (Weft.await p)

(* Who waits for a condition learns of a failure, and a time-out inside the function is none. *)
let told_by_a_condition () =
  in_each_size @@ fun () ->
  let m = M.create () and changed = Weft.Condition.create () in
  let p = start_waiting (fun () -> M.protect m (fun () -> M.wait m changed)) in
  let fails () =
    M.protect m (fun () ->
        Weft.Condition.signal changed;
        raise (Planned 1))
  in
  Alcotest.check_raises "who fails" (Planned 1) fails;
  check "who waits" (match Weft.await p with exception M.Poisoned (Planned 1) -> true | () -> false);
  is_poisoned "who comes next" 1 m;
  ignore (M.repair m ignore);
  M.protect m (fun () ->
      match M.wait_timeout 0.000_1 m changed with
      | () -> Alcotest.fail "nobody has signalled"
      | exception Cancel.Timeout -> ());
  check "not poisoned" (M.failure m = None)

let misuse () =
  let m = M.create () in
  raises_invalid "twice" "Weft.Poisoning_mutex.protect: " (fun () ->
      M.protect m (fun () -> M.protect m ignore));
  ignore (M.repair m ignore);
  raises_invalid "unlocked inside" "Weft.Poisoning_mutex.protect: " (fun () ->
      M.protect m (fun () -> Weft.Mutex.unlock (M.mutex m)));
  check "not poisoned" (M.failure m = None);
  Alcotest.check_raises "unlocked, and failed" (Planned 1) (fun () ->
      M.protect m (fun () ->
          Weft.Mutex.unlock (M.mutex m);
          raise (Planned 1)));
  check "not poisoned" (M.failure m = None);
  Alcotest.check_raises "poisoned" (Planned 2) (fun () -> M.protect m (fun () -> raise (Planned 2)));
  raises_invalid "unlocked in a repair" "Weft.Poisoning_mutex.repair: " (fun () ->
      M.repair m (fun _ -> Weft.Mutex.unlock (M.mutex m)));
  raises_invalid "with a time-out" "Weft.Poisoning_mutex.repair_timeout: " (fun () ->
      M.repair_timeout 60. m (fun _ -> Weft.Mutex.unlock (M.mutex m)));
  raises_invalid "not held" "Weft.Poisoning_mutex.wait_timeout: " (fun () ->
      M.wait_timeout 60. m (Weft.Condition.create ()));
  is_poisoned "still" 2 m

let tests =
  [
    case "poisoning: a failure, what comes next, and repairs" failures;
    case "poisoning: those that wait are told" waiters;
    case "poisoning: a holder that is cancelled, and a waiter" cancelled;
    case "poisoning: a pool that is closed" pool_closed;
    case "poisoning: with a condition" with_a_condition;
    case "poisoning: a condition's waiter is told, and may time out" told_by_a_condition;
    case "poisoning: misuse" misuse;
  ]
