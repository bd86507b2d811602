(* What promises are built on and used for: the next step, callbacks, cancelled tasks, resolvers. *)

open Support
module Cancel = Weft.Cancel
module Pool = Weft.Pool
module Promise = Weft.Promise
module Resolver = Weft.Promise.Resolver
module Scope = Weft.Scope

let long () = Weft.await (Promise.create ())

let is_cancelled what reason f =
  match f () with
  | _ -> Alcotest.failf "%s: it was not cancelled" what
  | exception Cancel.Cancelled got -> Alcotest.(check string) what reason got

(* --- bind --- *)

let binds () =
  in_each_size @@ fun () ->
  let p = Promise.create () in
  let q = Promise.bind p (fun n -> Weft.async (fun () -> n + 1)) in
  let failing = Promise.bind p (fun n -> raise (Planned n)) in
  let next_fails = Promise.bind p (fun n -> Weft.async (fun () -> raise (Planned (n + 1)))) in
  check "it waits" (not (Promise.is_settled q));
  Promise.resolve p 5;
  check_int "the next step" 6 (Weft.await q);
  Alcotest.check_raises "the function fails" (Planned 5) (fun () -> Weft.await failing);
  Alcotest.check_raises "the next step fails" (Planned 6) (fun () -> Weft.await next_fails);
  let rejected = Promise.create () in
  let never = Promise.bind rejected (fun () -> Alcotest.fail "it was called") in
  Promise.reject rejected (Planned 7);
  Alcotest.check_raises "the first step fails" (Planned 7) (fun () -> Weft.await never)

(* --- await_result --- *)

let results () =
  in_each_size @@ fun () ->
  check "a value" (Promise.await_result (Weft.async (fun () -> 3)) = Ok 3);
  let failed what p =
    match Promise.await_result p with
    | Error (Planned 4, _) -> ()
    | Ok _ | Error _ -> Alcotest.failf "%s: not its exception" what
  in
  failed "a task" (Weft.async (fun () -> raise (Planned 4)));
  let p = Promise.create () in
  let waits = start_waiting (fun () -> Promise.await_result p) in
  Promise.reject p (Planned 4);
  failed "a promise" p;
  check "who waited" (match Weft.await waits with Error (Planned 4, _) -> true | _ -> false);
  (* The task ends with a cancellation of its own: that is its outcome. *)
  let own = Weft.async (fun () -> raise (Cancel.Cancelled "its own")) in
  check "its own" (match Promise.await_result own with Error (Cancel.Cancelled _, _) -> true | _ -> false)

(* A waiter that is cancelled has no outcome to return. *)
let waiter_cancelled () =
  in_each_size @@ fun () ->
  let p = Promise.create () and token = Cancel.create () in
  let waits = start_waiting (fun () -> Cancel.within token (fun () -> Promise.await_result p)) in
  Cancel.cancel ~reason:"enough" token;
  is_cancelled "the waiter" "enough" (fun () -> Weft.await waits);
  check "not the promise" (not (Promise.is_settled p));
  Promise.resolve p 1;
  check "the next waiter" (Promise.await_result p = Ok 1)

let waiter_ended () =
  waits_and_is_ended (fun () -> ignore (Promise.await_result (Promise.create () : unit Promise.t)))

(* --- on_settled --- *)

let callbacks () =
  in_each_size @@ fun () ->
  let p = Promise.create () and calls = ref [] in
  let note name outcome =
    calls := (name, match outcome with Ok n -> n | Error (Planned n, _) -> -n | Error _ -> 0) :: !calls
  in
  Promise.on_settled p (note "first");
  Promise.on_settled p (note "second");
  check "not yet" (!calls = []);
  Promise.resolve p 3;
  check "by who settles it, in order" (!calls = [ ("second", 3); ("first", 3) ]);
  Promise.on_settled p (note "late");
  check "at once" (List.hd !calls = ("late", 3));
  let q = Promise.create () in
  Promise.on_settled q (note "failed");
  Promise.reject q (Planned 4);
  check "an exception" (List.hd !calls = ("failed", -4));
  (* Of a task, and one settles the next. *)
  let gate = Promise.create () and chained = Promise.create () in
  let task = Weft.async (fun () -> Weft.await gate + 1) in
  Promise.on_settled task (fun outcome -> Promise.resolve chained (Result.get_ok outcome));
  Promise.resolve gate 7;
  check_int "the next" 8 (Weft.await chained)

let outside_callbacks () =
  on_each_size @@ fun pool ->
  let p = Pool.async pool (fun () -> 1) and told = Promise.create () in
  Promise.on_settled p (fun outcome -> Promise.resolve told (Result.get_ok outcome));
  check_int "a thread outside waits for it" 1 (Weft.await told)

let failing_callbacks () =
  in_each_size @@ fun () ->
  with_reports ~own:(function Planned _ -> true | _ -> false) @@ fun reports ->
  let p = Promise.create () and called = ref false in
  Promise.on_settled p (fun _ -> raise (Planned 1));
  Promise.on_settled p (fun _ -> called := true);
  Promise.reject p (Planned 2);
  check "the other was called" !called;
  (* The exception of [p] has been seen. *)
  check "it is reported" (reports () = [ Planned 1 ])

(* Callbacks are added while the promise is being settled: each is called once. *)
let racing_callbacks () =
  in_each_size @@ fun () ->
  for _ = 1 to tries 100 do
    let p = Promise.create () and calls = Atomic.make 0 in
    let add () = Promise.on_settled p (fun _ -> Atomic.incr calls) in
    ignore (Weft.all [ add; add; (fun () -> Promise.resolve p ()); add; add ]);
    check_int "each once" 4 (Atomic.get calls)
  done

(* --- cancelled tasks --- *)

let waits =
  [
    ("await", long);
    ("sleep", fun () -> Weft.sleep 3600.);
    ("recv", fun () -> Weft.Chan.recv (Weft.Chan.unbounded ()));
    ("a task", fun () -> Weft.await (Weft.async long));
    ("a fork", fun () -> ignore (Weft.par long long));
    ("a scope", fun () -> Scope.run (fun s -> Scope.start s long));
    ( "yield",
      fun () ->
        while true do
          Weft.yield ()
        done );
  ]

let cancelled_while_it_runs () =
  in_each_size @@ fun () ->
  List.iter
    (fun (what, wait) ->
      let begun = Promise.create () and ended = ref false in
      let task () =
        Promise.resolve begun ();
        Fun.protect ~finally:(fun () -> ended := true) wait
      in
      let p = Promise.cancellable task in
      Weft.await begun;
      Promise.cancel ~reason:what p;
      is_cancelled what what (fun () -> Weft.await p);
      check "it has ended" !ended;
      Promise.cancel p)
    waits

(* The awaiter may run the task in its own place: it is not cancelled itself. *)
let cancelled_in_place () =
  in_each_size @@ fun () ->
  let p = Promise.cancellable long in
  let awaiter =
    Weft.async (fun () ->
        is_cancelled "the task" "stop" (fun () -> Weft.await p);
        Weft.yield ();
        1)
  in
  let other = Weft.async (fun () -> is_cancelled "the task, too" "stop" (fun () -> Weft.await p)) in
  for _ = 1 to 5 do
    Weft.yield ()
  done;
  Promise.cancel ~reason:"stop" p;
  check_int "the awaiter goes on" 1 (Weft.await awaiter);
  Weft.await other

let cancelled_before_it_runs () =
  Weft.run ~domains:1 @@ fun () ->
  let p = Promise.cancellable (fun () -> Alcotest.fail "it has run") in
  let told = ref 0 in
  Promise.on_settled p (fun outcome -> if Result.is_error outcome then incr told);
  Promise.cancel ~reason:"never" p;
  check_int "its callback" 1 !told;
  is_cancelled "the promise" "never" (fun () -> Weft.await p);
  Weft.yield ()

let returns_all_the_same () =
  in_each_size @@ fun () ->
  let p = Promise.cancellable (fun () -> try long () with Cancel.Cancelled _ -> 5) in
  let waits = start_waiting (fun () -> Weft.await p) in
  Promise.cancel p;
  Weft.yield ();
  (* If it was cancelled before it began, it has not run. *)
  match Weft.await waits with
  | n -> check_int "its value" 5 n
  | exception Cancel.Cancelled _ -> ()

let what_cannot_be_cancelled () =
  in_each_size @@ fun () ->
  let refused what p = raises_invalid what "Weft.Promise.cancel: " (fun () -> Promise.cancel p) in
  let gate = Promise.create () in
  let task = Weft.async (fun () -> Weft.await gate) in
  refused "a created promise" gate;
  refused "a plain task" task;
  refused "a map" (Promise.map Fun.id gate);
  Promise.resolve gate ();
  Weft.await task;
  Promise.cancel task;
  Promise.cancel gate

let in_a_scope () =
  in_each_size @@ fun () ->
  let others = ref 0 in
  let result =
    Scope.run (fun s ->
        let p = Scope.async s long in
        let q =
          Scope.async s (fun () ->
              Weft.yield ();
              incr others)
        in
        Weft.yield ();
        Promise.cancel ~reason:"one" p;
        is_cancelled "the one" "one" (fun () -> Weft.await p);
        Weft.await q;
        check "no failure" (Scope.failures s = []);
        7)
  in
  check_int "the scope goes on" 7 result;
  check_int "the other task" 1 !others;
  (* Who awaits it and does not handle the exception fails with it. *)
  is_cancelled "the scope" "two" (fun () ->
      Scope.run (fun s ->
          let p = Scope.async s long in
          let waits = Scope.async s (fun () -> Weft.await p) in
          Weft.yield ();
          Promise.cancel ~reason:"two" p;
          Weft.await waits))

let cancelled_at_any_moment () =
  in_each_size @@ fun () ->
  for i = 1 to tries 200 do
    let p =
      Promise.cancellable (fun () ->
          Weft.yield ();
          spin (i * 13 mod 500);
          Weft.yield ();
          i)
    in
    let got, () =
      Weft.par
        (fun () -> Promise.await_result p)
        (fun () ->
          spin (i * 7 mod 900);
          Promise.cancel ~reason:"stop" p)
    in
    match got with
    | Ok n -> check_int "its value" i n
    | Error (Cancel.Cancelled "stop", _) -> ()
    | Error (exn, _) -> raise exn
  done

let cancelled_from_outside () =
  on_each_size @@ fun pool ->
  let begun = Promise.create () in
  let task () =
    Promise.cancellable (fun () ->
        Promise.resolve begun ();
        long ())
  in
  let p = Pool.run pool task in
  let waits = Pool.async pool (fun () -> Weft.await p) in
  Weft.await begun;
  Promise.cancel ~reason:"outside" p;
  is_cancelled "outside" "outside" (fun () -> Weft.await p);
  is_cancelled "inside" "outside" (fun () -> Weft.await waits)

let closed_pools () =
  let pool = Pool.create ~domains:1 () in
  let p = Pool.run pool (fun () -> Promise.cancellable (fun () -> Weft.await (Promise.create ()))) in
  Pool.close pool;
  check "it has ended" (Promise.is_settled p);
  Promise.cancel p;
  check "by the end of its pool"
    (match Promise.peek p with Some (Error (Pool.Closed _, _)) -> true | _ -> false)

let nothing_is_reported () =
  in_each_size @@ fun () ->
  with_reports ~own:(fun _ -> true) @@ fun reports ->
  let p = Promise.cancellable long in
  Weft.yield ();
  Promise.cancel p;
  while not (Promise.is_settled p) do
    Weft.yield ()
  done;
  check "nothing" (reports () = [])

(* --- resolvers --- *)

let resolvers () =
  in_each_size @@ fun () ->
  let p, r = Promise.make () in
  check "the same promise" (Resolver.promise r == p);
  List.iter
    (fun (name, settle) ->
      raises_invalid name ("Weft.Promise." ^ name ^ ": this promise has a resolver") settle)
    [
      ("resolve", fun () -> Promise.resolve p 1);
      ("reject", fun () -> Promise.reject p Exit);
      ("try_resolve", fun () -> ignore (Promise.try_resolve p 1 : bool));
      ("try_reject", fun () -> ignore (Promise.try_reject p Exit : bool));
    ];
  let waits = start_waiting (fun () -> Weft.await p) in
  Resolver.resolve r 3;
  check_int "resolved" 3 (Weft.await waits);
  raises_invalid "again" "Weft.Promise.Resolver.resolve: " (fun () -> Resolver.resolve r 4);
  raises_invalid "again" "Weft.Promise.Resolver.reject: " (fun () -> Resolver.reject r Exit);
  check "try" (not (Resolver.try_resolve r 4 || Resolver.try_reject r Exit || Resolver.withdraw r));
  let q, r = Promise.make () in
  Resolver.reject r (Planned 5);
  Alcotest.check_raises "rejected" (Planned 5) (fun () -> Weft.await q)

let withdrawn () =
  in_each_size @@ fun () ->
  with_reports ~own:(fun _ -> true) @@ fun reports ->
  let withdraw () =
    let p, r = Promise.make () in
    check "withdrawn" (Resolver.withdraw ~reason:"gave up" r);
    check "nobody can wake it" (not (Resolver.try_resolve r ()));
    is_cancelled "who awaits it all the same" "gave up" (fun () -> Weft.await p);
    let _, r = Promise.make () in
    check "withdrawn, and nobody looks" (Resolver.withdraw r)
  in
  for _ = 1 to 20 do
    withdraw ()
  done;
  check "nothing is reported" (reports () = [])

(* The example of the interface: a wake-up that meets a waiter that gives up goes to the next. *)
let rec wake_first lock queue v =
  match Mutex.protect lock (fun () -> Queue.take_opt queue) with
  | None -> false
  | Some waiter -> Resolver.try_resolve waiter v || wake_first lock queue v

let wait lock queue ~seconds =
  let promise, waiter = Promise.make () in
  Mutex.protect lock (fun () -> Queue.add waiter queue);
  try Some (Cancel.with_timeout seconds (fun () -> Weft.await promise))
  with Cancel.Timeout ->
    (if not (Resolver.withdraw waiter) then
       match Promise.peek promise with
       | Some (Ok v) -> ignore (wake_first lock queue v : bool)
       | Some (Error _) | None -> ());
    None

let no_wake_up_is_lost () =
  in_each_size @@ fun () ->
  for _ = 1 to tries 50 do
    let lock = Mutex.create () and queue = Queue.create () in
    let hasty = List.init 3 (fun _ -> Weft.async (fun () -> wait lock queue ~seconds:0.0002)) in
    let patient = start_waiting (fun () -> wait lock queue ~seconds:3600.) in
    let woken = ref 0 in
    while not (Promise.is_settled patient) do
      if wake_first lock queue 1 then incr woken;
      Weft.yield ()
    done;
    let got = List.filter (fun p -> Weft.await p <> None) (patient :: hasty) in
    check "nobody got more than was sent" (List.length got <= !woken)
  done

type _ Effect.t += Question : int Effect.t

(* The one who settles is cancelled, and does so; the function is not. *)
let settled_by_a_cancelled_fiber () =
  in_each_size @@ fun () ->
  let p = Promise.create () and told = Promise.create () in
  Promise.on_settled p (fun _ ->
      Weft.Cancel.check ();
      ignore (Weft.async (fun () -> Promise.resolve told 1) : unit Weft.promise));
  let settle s =
    Weft.Scope.cancel s;
    Promise.resolve p ()
  in
  (match Weft.Scope.run settle with () -> () | exception Weft.Cancel.Cancelled _ -> ());
  check_int "its task has run" 1 (Weft.await told)

(* An effect of the function keeps nobody waiting. *)
let callbacks_with_effects () =
  with_reports ~own:(fun _ -> true) @@ fun reports ->
  in_each_size @@ fun () ->
  let gate = Promise.create () in
  let p = Promise.cancellable (fun () -> Weft.await gate) in
  Promise.on_settled p (fun _ -> ignore (Effect.perform Question : int));
  let waits = start_waiting (fun () -> Weft.await p) in
  Promise.resolve gate 2;
  check_int "who waits" 2 (Weft.await waits);
  check "reported" (match reports () with Effect.Unhandled Question :: _ -> true | _ -> false)

let tests =
  [
    case "bind: the next step's promise, and failures of each step" binds;
    case "await_result: what the task returned or raised" results;
    case "await_result: a cancelled waiter raises" waiter_cancelled;
    case "await_result: ends with its pool" waiter_ended;
    case "on_settled: is called once, with the outcome" callbacks;
    case "on_settled: from outside of all pools" outside_callbacks;
    case "on_settled: an exception of a function is reported" failing_callbacks;
    case "on_settled: while the promise is being settled" racing_callbacks;
    case "on_settled: by a fiber that is cancelled" settled_by_a_cancelled_fiber;
    case "on_settled: a function that performs an effect" callbacks_with_effects;
    case "cancel: ends a task, whatever it waits for" cancelled_while_it_runs;
    case "cancel: a task that runs in its awaiter's place" cancelled_in_place;
    case "cancel: a task that has not begun never runs" cancelled_before_it_runs;
    case "cancel: a task may return all the same" returns_all_the_same;
    case "cancel: refuses what it cannot cancel" what_cannot_be_cancelled;
    case "cancel: a task of a scope, and no other" in_a_scope;
    case "cancel: at any moment" cancelled_at_any_moment;
    case "cancel: from outside" cancelled_from_outside;
    case "cancel: a pool that is closed" closed_pools;
    case "cancel: nothing is reported" nothing_is_reported;
    case "resolver: settles its promise, once" resolvers;
    case "resolver: a waiter that withdraws is not reported" withdrawn;
    case "resolver: no wake-up is lost when waiters withdraw" no_wake_up_is_lost;
  ]
